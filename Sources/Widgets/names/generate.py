#!/usr/bin/env python3
"""Writes the Names.swift of each module that has a table beside this file; with --check, compares instead.

The tables have what is there for its name, so that sources which use Apple's modules compile: what does nothing here,
what only keeps what it gets, and what is said in a row. A row is a declaration as Apple's documentation has it, without
`public` (it may say another access) and without a body that follows from what it declares:

    init(…)                  accepts its arguments
    func f(…)                returns the value itself; so does one whose row names a result
    static func f(…)         returns a new value of its result, or else of its type; so does a `static var`
    mutating func f(…)       does nothing

Rows are indented under a head, which says to what they belong; `enum Text.Case` is nested in `Text`:

    struct X: Sendable = a b     a type with values `X.a` and `X.b`; if it is Hashable or Equatable, each keeps its name,
                                 and so does what its `static func` makes, so that they differ
    struct X(a: A, var b: B = 1) a type that keeps what it is made of: its initializer sets these properties; if one of
                                 them is `internal`, so is the initializer
    enum X: Hashable = a b       a type with these cases
    options X: Int = a b         a set of options, a bit for each
    extension X, protocol X …    as in Swift; a protocol's rows are its requirements
    notes View                   each row is a method that returns the view with a note of the method's name, or of
                                 another one (`as other`), and of what `NoteValue` makes of it (`= value`)
    containers                   `VStack(…) = .column(…)` is a view that arranges others in that `Stack`, or in none (nil)
    environment                  `name: Type = default` is a value of the environment
    styles XStyle(a: A)          how controls look, which is drawn by name: the protocol of styles, which get a control's `a`,
                                 and in rows its types and their names, `PlainXStyle(…) = plain`

A line that is indented deeper than a row continues the line before. `static let {} = X("{}") for a b` is a row for `a`
and one for `b`; of a head like that, each name has the rows, in which it is `{head}`. What follows `  # ` says what a name means.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
HEADER = "// Made from Sources/Widgets/names/{}.txt by generate.py: change that table.\n// swift-format-ignore-file\n"
ATTRIBUTES = r"((?:@\w+(?:\([^)]*\))? )*)"
HEAD = re.compile(ATTRIBUTES + r"(final class|open class|\w+) ?(.*)")
ACCESS = re.compile(r"(?:open|package|internal|private|fileprivate) ")
PART = re.compile(r"(internal )?(var )?((?:\w+ )?(\w+)): (.+?)( = .*)?")


def blocks(text):
    """The heads of a table, each with its rows; each is a declaration, and what it means."""
    lines, found, heads = [], [], []
    for line in text.splitlines():
        if line.startswith(" " * 5):
            lines[-1] += ("" if lines[-1].endswith(("(", "<")) else " ") + line.strip()
        elif line and not line.startswith("#"):
            lines.append(line)
    for line in lines:
        text, _, meaning = line.partition("  # ")
        rows = [(row, meaning) for row in repeated(text.strip())]
        if line.startswith(" "):
            for head, _, members in heads:
                name = re.search(r"([A-Za-z]+)(?:[(<:]|$)", head.partition(" = ")[0])
                members.extend((row.replace("{head}", name[1] if name else ""), meaning) for row, meaning in rows)
        else:
            heads = [(*row, []) for row in rows]
            found.extend(heads)
    return found


def repeated(row):
    """A row for each of the names that follow its `for`."""
    template, _, names = row.rpartition(" for ")
    return [template.replace("{}", name) for name in names.split()] if "{}" in template else [row]


def braced(head, members):
    return [f"{head} {{", *("    " + member for member in members), "}"] if members else [f"{head} {{}}"]


def documented(meaning, lines):
    return [f"/// {meaning}", *lines] if meaning else lines


def each(rows, swift):
    return [line for row, meaning in rows for line in documented(meaning, swift(row))]


def split_at_parameters(text):
    """What stands before the end of the parameters, and what after it."""
    depth = 0
    for place, mark in enumerate(text, 1):
        depth += (mark == "(") - (mark == ")")
        if mark == ")" and depth == 0:
            return text[:place], text[place:]
    raise ValueError(f"no parameters: {text}")


def kept(parts):
    """The properties that a type is made of, and its initializer."""
    found, depth = [""], 0
    for mark in parts.replace("->", "→"):
        depth += (mark in "([<") - (mark in ")]>")
        if mark == "," and depth == 0:
            found.append("")
        else:
            found[-1] += mark.replace("→", "->")
    parts = [PART.fullmatch(part.strip()).groups(default="") for part in found]
    properties = [f"{own or 'public '}{var or 'let '}{name}: {kind}" for own, var, _, name, kind, _ in parts]
    parameters = ", ".join(f"{label}: {kind}{value}" for _, _, label, _, kind, value in parts)
    access = "" if any(own for own, *_ in parts) else "public "
    return properties + braced(f"{access}init({parameters})", [f"self.{name} = {name}" for _, _, _, name, _, _ in parts])


def member(row, owner, is_named=False):
    """A row of a type or an extension, with the body that follows from it."""
    attributes, text = re.match(ATTRIBUTES + "(.*)", row).groups()
    if text.startswith("case "):
        return [row]
    if "{" not in text:
        if text.startswith(("init", "mutating func ")):
            text += " {}"
        elif text.startswith("static var "):
            text += f" {{ {text.rpartition(': ')[2]}() }}"
        elif text.startswith(("static func ", "func ")):
            signature, rest = split_at_parameters(text)
            result = re.match(r" -> (.*?)(?: where .*)?$", rest)
            text += "" if result else f" -> {owner}"
            name = signature.removeprefix("static func ") if is_named else ""
            new = f"{result[1]}()" if result else value_of(owner, name)
            text += " { self }" if text.startswith("func ") else f" {{ {new} }}"
    return [f"{attributes}{'' if ACCESS.match(text) else 'public '}{text}"]


def value_of(kind, name):
    """A new value of a type, which keeps its name if that is not empty."""
    name = name.strip("`")
    return f'{kind}(name: "{name}")' if name else f"{kind}()"


def declared(attributes, kind, head, rows):
    """A type, a protocol or an extension."""
    path, generics, rest = re.match(r"([\w.]+)((?:<[^(]*>)?)(.*)", head).groups()
    outer, _, name = path.rpartition(".")
    parts, rest = split_at_parameters(rest) if rest.startswith("(") else ("", rest)
    rest, _, values = rest.partition(" = ")
    rest, values = generics + rest, values.split()
    is_named = kind == "struct" and bool(values) and bool(re.search(r"\b(?:Hashable|Equatable)\b", rest))
    members = each(rows, lambda row: [row] if kind == "protocol" else member(row, name, is_named))
    if kind in ("extension", "protocol"):
        return braced(f"{attributes}{'public ' if kind == 'protocol' else ''}{kind} {head}", members)
    if kind == "enum":
        members = [f"case {', '.join(values)}"] * bool(values) + members
    elif kind == "options":
        kind, number, rest = "struct", rest.removeprefix(": "), ": OptionSet, Sendable"
        members = [
            f"public let rawValue: {number}",
            f"public init(rawValue: {number}) {{ self.rawValue = rawValue }}",
            *(f"public static let {value} = {name}(rawValue: {1 << bit})" for bit, value in enumerate(values)),
        ] + members
    else:
        new = [value_of(name, value if is_named else "") for value in values]
        members = [f"public static let {value} = {made}" for value, made in zip(values, new)] + members
    members = ["internal let name: String"] * is_named + (kept(parts[1:-1]) if parts else []) + members
    access = "" if kind.startswith("open ") else "public "
    swift = braced(f"{attributes}{access}{kind} {name}{rest}", members)
    return braced(f"extension {outer}", swift) if outer else swift


def note(row, owner):
    """A method that adds a note: a `Text` and an `Image` stay what they are."""
    attributes, name, rest = re.match(ATTRIBUTES + r"(\w+)(.*)", row).groups()
    signature, rest = split_at_parameters(name + rest)
    other, value = re.fullmatch(r"(?: as (\w+))?(?: = (.*))?", rest).groups()
    result, add = ("some View", "noted") if owner == "View" else (owner, "adding")
    arguments = f'"{other or name}"' + (f", value: NoteValue({value})" if value else "")
    return [f"{attributes}public func {signature} -> {result} {{ {add}({arguments}) }}"]


def container(row):
    signature, rest = split_at_parameters(row)
    name, _, parameters = signature[:-1].partition("(")
    stack = rest.removeprefix(" = ")
    parameters += ", " if parameters else ""
    content = "content.viewContent.members"
    return [
        f"public struct {name}: ContentView {{",
        "    private let content: AnyView",
        *(["    private let stack: Stack"] if stack != "nil" else []),
        f"    public init<Content: View>({parameters}@ViewBuilder content: () -> Content) {{",
        "        self.content = AnyView(content())",
        *([f"        stack = {stack}"] if stack != "nil" else []),
        "    }",
        f"    public var viewContent: ViewContent {{ {'.group' if stack == 'nil' else '.stack'}"
        f"({'' if stack == 'nil' else 'stack, '}{content}) }}",
        "}",
    ]


def value_of_environment(row):
    access, name, kind, default = re.fullmatch(r"((?:package )?|package\(set\) )(\w+): (.+?) = (.+)", row).groups()
    return [
        f"{'' if access == 'package ' else 'public '}{access}var {name}: {kind} {{",
        f"    get {{ value(\\.{name}, or: {default}) }}",
        f"    set {{ set(\\.{name}, to: newValue) }}",
        "}",
    ]


def styles(head, rows):
    protocol, has_body, parts = re.fullmatch(r"(\w+)(\((.*)\))?", head).groups()
    swift = braced(f"public protocol {protocol}", [
        "associatedtype Body: View",
        f"typealias Configuration = {protocol}Configuration",
        "@ViewBuilder func makeBody(configuration: Configuration) -> Body",
    ] if has_body else [])
    if has_body:
        swift += braced(f"public struct {protocol}Configuration", [f"public let {part}" for part in parts.split(", ")])
    for row, _ in rows:
        kind, parameters, names = re.fullmatch(r"(\w+)(\(.*\))? = (.*)", row).groups()
        members = ["public init() {}", f'internal var styleName: String {{ "{names.split()[0].strip("`")}" }}']
        members += [f"public init{parameters} {{}}"] if parameters else []
        if has_body:
            members.append("public func makeBody(configuration: Configuration) -> some View { EmptyView() }")
        swift += braced(f"public struct {kind}: {protocol}, NamedStyle", members)
        swift += braced(f"extension {protocol} where Self == {kind}",
                        [f"public static var {name}: {kind} {{ {kind}() }}" for name in names.split()])
    return swift


def swift_of(head, rows):
    attributes, kind, rest = HEAD.match(head).groups()
    if kind in ("import", "func", "typealias"):
        return [f"public {head}"]
    if kind == "notes":
        return [line for owner in rest.split(", ")
                for line in braced(f"extension {owner}", each(rows, lambda row: note(row, owner)))]
    if kind == "containers":
        return each(rows, container)
    if kind == "environment":
        return braced("extension EnvironmentValues", each(rows, value_of_environment))
    return styles(rest, rows) if kind == "styles" else declared(attributes, kind, rest, rows)


def main():
    stale = []
    for table in sorted(HERE.glob("*.txt")):
        lines = [line for head, meaning, rows in blocks(table.read_text(encoding="utf-8"))
                 for line in documented(meaning, swift_of(head, rows))]
        swift = HEADER.format(table.stem) + "\n".join(lines) + "\n"
        made = HERE.parent / table.stem / "Names.swift"
        if "--check" not in sys.argv:
            made.write_text(swift, encoding="utf-8")
        elif not made.exists() or made.read_text(encoding="utf-8") != swift:
            stale.append(table.stem)
    if stale:
        sys.exit(f"Names.swift of {', '.join(stale)} is not what its table says: run Sources/Widgets/names/generate.py")


if __name__ == "__main__":
    main()
