"""The simplest possible implementation of the pattern language of patterns.md, for valid patterns.

verify.py checks the vectors with it, so that their results do not rest on one implementation.
"""

import functools
import ipaddress
import json
import re
import sys
import unicodedata
from decimal import Decimal

MISSING = object()


def read(text):
    """Parses JSON; numbers become exact decimals."""
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


class LacksParameter(Exception):
    """The widget lacks a parameter that the rule names."""


class Model:
    def __init__(self, configuration):
        self.configuration = configuration

    def matches(self, pattern, event):
        try:
            self.require(pattern)
        except LacksParameter:
            return False
        return self.holds(pattern, event)

    # Parameters

    def require(self, value):
        """Raises LacksParameter if the widget lacks any parameter that a pattern names."""
        if isinstance(value, str) and value.startswith("${configuration."):
            self.values(value)
        elif isinstance(value, dict):
            for member in value.values():
                self.require(member)
        elif isinstance(value, list):
            for element in value:
                self.require(element)

    def values(self, operand):
        """The values that an operand stands for: those of its parameter, or itself."""
        if not (isinstance(operand, str) and operand.startswith("${configuration.")):
            return [operand]
        name = operand[len("${configuration."):-1]
        if name not in self.configuration:
            raise LacksParameter(name)
        value = self.configuration[name]
        return value if isinstance(value, list) else [value]

    # Objects

    def holds(self, pattern, event):
        return all(self.condition(name, value, event) for name, value in pattern.items())

    def condition(self, name, condition, event):
        if name == "$or":
            return any(self.holds(pattern, event) for pattern in condition)
        value = event.get(name, MISSING)
        if isinstance(condition, list):
            return any(self.test(test, value) for test in condition)
        if isinstance(value, dict):
            return self.holds(condition, value)
        objects = [e for e in elements(value) if isinstance(e, dict)]
        return any(self.holds(condition, each) for each in objects or [{}])

    # Tests

    def test(self, test, value):
        if not isinstance(test, dict):
            return any(same(s, v) for s in scalars(value) for v in self.values(test))
        (name, operand), = test.items()
        if name == "exists":
            return (value is not MISSING) == operand
        if name == "anything-but":
            excluded = [{n: o} for n, o in operand.items()] if isinstance(operand, dict) else operand
            tests = excluded if isinstance(excluded, list) else [excluded]
            return value is not MISSING and not any(self.test(t, value) for t in tests)
        if name == "all-of":
            if isinstance(operand, list):
                return all(self.test(t, value) for t in operand)
            wanted = self.values(operand)
            return value is not MISSING and all(self.equals(value, w) for w in wanted)
        if name == "numeric":
            bounds = list(zip(operand[::2], operand[1::2]))
            numbers = [s for s in scalars(value) if isinstance(s, Decimal)]
            return any(all(self.bound(n, *bound) for bound in bounds) for n in numbers)
        if isinstance(operand, dict):
            name += "-ignore-case"
            operand = operand["equals-ignore-case"]
        operands = operand if isinstance(operand, list) else [operand]
        texts = [v for o in operands for v in self.values(o) if isinstance(v, str)]
        strings = [s for s in scalars(value) if isinstance(s, str)]
        return any(TEXT_OPERATORS[name](s, t) for s in strings for t in texts)

    def equals(self, value, wanted):
        return any(same(s, wanted) for s in scalars(value))

    def bound(self, number, comparison, operand):
        others = [v for v in self.values(operand) if isinstance(v, Decimal)]
        return any(COMPARISONS[comparison](number, other) for other in others)


def elements(value):
    """The elements of a list and of the lists in it, at any depth; of anything else the value itself."""
    return [e for each in value for e in elements(each)] if isinstance(value, list) else [value]


def scalars(value):
    return [e for e in elements(value) if e is not MISSING and not isinstance(e, dict)]


def same(left, right):
    return type(left) is type(right) and left == right


COMPARISONS = {
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}


def fold(text):
    """Simple case folding: character by character; foldings to several characters are not used."""
    folded = []
    for character in text:
        for candidate in (character.casefold(), character.lower()):
            if len(candidate) == 1:
                folded.append(candidate)
                break
        else:
            folded.append(character)
    return "".join(folded)


def wildcard(text, pattern):
    if re.search(r"\*\*|\\(?![*\\])", re.sub(r"\\[*\\]", "x", pattern)):
        return False
    parts = re.findall(r"\\.|.", pattern, re.DOTALL)
    expression = "".join(".*" if p == "*" else re.escape(p[-1]) for p in parts)
    return re.fullmatch(expression, text, re.DOTALL) is not None


def regexp(text, pattern):
    """RFC 9485 with Python's re: syntax with another meaning there is translated."""
    try:
        return re.fullmatch(translated(pattern), text) is not None
    except re.error:
        return False


def translated(pattern):
    result, in_class, position = "", False, 0
    while position < len(pattern):
        character = pattern[position]
        category = re.match(r"\\([pP])\{(\w+)\}", pattern[position:])
        if category:
            inner = category_ranges(category[2], category[1] == "P")
            result += inner if in_class else f"[{inner}]"
            position += category.end()
            continue
        if character == "\\":
            following = pattern[position + 1:position + 2]
            if not following or following not in "()*+-.?[\\]^nrt{|}":
                raise re.error("no such escape")
            result += character + following
            position += 2
            continue
        if in_class:
            in_class = character != "]"
            result += "\\" + character if character in "&~|#" else character
        elif character == "[":
            in_class = True
            result += character
        elif character == ".":
            result += "[^\\n\\r]"
        elif character in "^$":
            result += "\\" + character
        elif pattern.startswith("(?", position):
            raise re.error("no such group")
        else:
            result += character
        position += 1
    return result


@functools.cache
def category_ranges(name, is_complement):
    chosen = [unicodedata.category(chr(n)).startswith(name) != is_complement
              for n in range(sys.maxunicode + 1)]
    ranges, start = "", None
    for number, is_in in enumerate(chosen + [False]):
        if is_in and start is None:
            start = number
        elif not is_in and start is not None:
            ranges += f"\\U{start:08x}-\\U{number - 1:08x}"
            start = None
    return ranges


def cidr(text, block):
    # ipaddress accepts more than the language: netmasks, zones, and blocks without a length.
    if not re.fullmatch(r"[0-9a-fA-F:.]+/[0-9]{1,3}", block) or "%" in text:
        return False
    try:
        network = ipaddress.ip_network(block, strict=False)
        return ipaddress.ip_address(text) in network
    except ValueError:
        return False


TEXT_OPERATORS = {
    "prefix": str.startswith,
    "suffix": str.endswith,
    "equals-ignore-case": lambda s, t: fold(s) == fold(t),
    "prefix-ignore-case": lambda s, t: fold(s).startswith(fold(t)),
    "suffix-ignore-case": lambda s, t: fold(s).endswith(fold(t)),
    "wildcard": wildcard,
    "regexp": regexp,
    "cidr": cidr,
}
