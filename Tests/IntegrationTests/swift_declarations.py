"""Swift declarations as the users of their names see them: two that differ in nothing else have one canonical text.

What differs in the text alone: attributes and modifiers in front, names of modules, of parameters inside, and of
generic parameters; `some P` for a generic parameter of its own; a constant and a variable without a setter."""

import functools
import re

#: Modules whose name may stand before a type's.
MODULES = "SwiftUI|Swift|Foundation|Observation|UIKit|AppIntents|WidgetKit|WidgetViews|WidgetIntents|WidgetTimelines"
MODIFIERS = r"(?:public|final|open|override|required|convenience|nonisolated|indirect)\s+"
#: The primary associated types that a constraint may name in angle brackets.
PRIMARY = {"RangeExpression": "Bound", "SetValueIntent": "ValueType"}
#: What callers do not see of a type: an existential is written with `any` or without it.
UNSEEN = re.compile(r"\bany |@_\w+ |\bnonisolated\(nonsending\) |@MainActor |(?<=\()_ \w+: |(?<=, )_ \w+: ")


def end_of(text, start):
    """The index after the bracket that closes the one at an index."""
    depth, quoted = 0, False
    for index in range(start, len(text)):
        mark = text[index]
        if mark == '"':
            quoted = not quoted
        elif not quoted and not (mark == ">" and text[index - 1] == "-"):
            depth += (mark in "([{<") - (mark in ")]}>")
            if depth == 0:
                return index + 1
    raise ValueError(f"nothing closes the bracket: {text}")


def parts(text, separator=","):
    """What stands between separators that are in no brackets."""
    found, start, index = [], 0, 0
    while index < len(text):
        if text[index] in "([{<" and text[index:index + 2] != "<=":
            index = end_of(text, index)
        elif text[index] == separator:
            found.append(text[start:index].strip())
            start = index = index + 1
        else:
            index += 1
    return [part for part in [*found, text[start:].strip()] if part]


def without_front(text):
    """A declaration without the attributes and modifiers in front, but for those that say how it is called."""
    while match := re.match(rf"@[\w.]+|{MODIFIERS}", text):
        text = text[match.end():]
        while match[0].startswith("@") and text[:1] in ("(", "<"):
            text = text[end_of(text, 0):]
        text = text.lstrip()
    return re.sub(r"^class (?=func |var |subscript)", "static ", text)


def without_generics(text):
    """The text without what stands in angle brackets, which one copy of Apple's pages lacks."""
    former, text = None, text.replace("->", "→")
    while former != text:
        former, text = text, re.sub(r"<[^<>]*>", "", text)
    return text.replace("→", "->")


def parameter(text):
    """A parameter's names, its type with attributes, and its default value."""
    match = re.match(r"((?:@[\w.]+(?:<[^()]*>)?[\w.]* )*)(`?\w+`?(?: `?\w+`?)?)\s*:\s*(.*)", text)
    attributes, names, kind = match.groups() if match else ("", "_", text)
    kind, _, value = kind.partition(" = ")
    return names.replace("`", "").split(), attributes + kind, value


class Canonical:
    """The canonical text of a declaration."""

    def __init__(self, text):
        text = re.sub(rf"\b(?:{MODULES})\.(?=[A-Z_])", "", " ".join(text.split()))
        text = without_front(text)
        front = re.match(r"(?:(?:static|mutating|nonmutating) )*", text)[0]
        text = without_front(text[len(front):])
        self.generics, self.constraints = [], []
        kind, text = re.match(r"(\w+)\s*(.*)", text).groups()
        name = kind if kind in ("init", "subscript") else re.match(r"`?[\w.]+`?|[^\s\w(]+", text)[0]
        text = text[len(name):] if name != kind else text
        mark = text[:1] if text[:1] in ("?", "!") else ""
        text = text[len(mark):].lstrip()
        if text.startswith("<"):
            end = end_of(text, 0)
            for generic in parts(text[1:end - 1]):
                own, _, constraint = generic.partition(":")
                self.generics.append(own.strip())
                self.constrain(own.strip(), constraint.strip())
            text = text[end:].lstrip()
        called = ""
        if text.startswith("(") and kind in ("func", "init", "subscript", "case"):
            end = end_of(text, 0)
            # The parameters of an operator have no labels, nor have those of a subscript that have one name.
            least = 2 if kind == "subscript" else 1 if re.match(r"\w|`", name) else 3
            called = "(" + ", ".join(self.called(each, least) for each in parts(text[1:end - 1])) + ")"
            text = text[end:]
        text, _, access = text.partition("{")
        text, *where = re.split(r"\bwhere\b", text, maxsplit=1)
        for constraint in parts(where[0]) if where else []:
            left, relation, right = re.match(r"(.+?)\s*(==|:)\s*(.+)", constraint).groups()
            if relation == ":":
                self.constrain(left, right)
            else:
                self.constraints.append((left, "==", seen(right)))
        text = self.result(kind, text.strip(), access)
        self.text = self.numbered(f"{front}{kind.replace('let', 'var')} {name.strip('`')}{mark}{called} {text}")

    def constrain(self, left, right):
        """Notes that a type has each of some protocols, and their associated types what the brackets say."""
        for each in right.replace("Codable", "Decodable & Encodable").split(" & ") if right else []:
            protocol, associated = re.match(r"([\w.]+)(?:<(.*)>)?$", each).groups() if "<" in each else (each, None)
            self.constraints.append((left, ":", protocol))
            if associated:
                self.constraints.append((f"{left}.{PRIMARY.get(protocol, protocol)}", "==", associated))

    def called(self, text, least):
        """A parameter as its caller sees it: with a label if it has a least number of names."""
        names, kind, value = parameter(text)
        label = names[0] if len(names) >= least else "_"
        kind = seen(kind)
        while match := re.search(r"\bsome ([\w.]+(?:<[^<>]*>)?(?: & [\w.]+)*)", kind):
            own = f"some{len(self.generics)}"
            self.generics.append(own)
            self.constrain(own, match[1])
            kind = re.sub(rf"\(({own})\)\?", r"\1?", kind[:match.start()] + own + kind[match.end():])
        return f"{label}: {kind}" + (f" = {value}" if value else "")

    @staticmethod
    def result(kind, text, access):
        """What follows the name and the parameters."""
        if kind in ("struct", "class", "enum"):
            return ""
        if kind == "protocol":
            inherited = sorted(parts(re.sub(r"\bCodable\b", "Decodable, Encodable", text.lstrip(": "))))
            return ": " + ", ".join(inherited) if inherited else ""
        if kind == "func" and text in ("-> Void", "-> ()"):
            return ""
        if kind == "let" or "get" in access and "set" not in access:
            text += " { get async }" if "async" in access else " { get }"
        return seen(text)

    def numbered(self, text):
        """The text and the constraints, with numbers for generic parameters in the order in which the text has them."""
        numbers = {}

        def number(match):
            own = match[0]
            return numbers.setdefault(own, f"τ{len(numbers)}") if own in self.generics else own

        def replaced(each):
            return re.sub(r"(?<![.\w])\w+", number, each)

        text = replaced(" ".join(text.split()))
        for own in self.generics:
            numbers.setdefault(own, f"τ{len(numbers)}")
        constraints = sorted({f"{replaced(left)} {relation} {replaced(right)}"
                              for left, relation, right in self.constraints})
        return f"{text} <{len(self.generics)}>" + (" where " + ", ".join(constraints) if constraints else "")


def seen(kind):
    """What callers see of a type."""
    kind = UNSEEN.sub("", kind).replace("-> ()", "-> Void").replace("_const ", "")
    return "Void" if kind == "()" else re.sub(r"\s*:\s*", ": ", " ".join(kind.split()))


@functools.cache
def canonical(text):
    return Canonical(text).text
