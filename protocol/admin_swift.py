"""Makes the Swift code of the admin server that admin.table and metrics.table say.

    admin_swift.py            writes it
    admin_swift.py --check    says whether it is current

In admin.table, a type or an entry of a list may name its Swift type after a colon: that type's objects are written with
these members. The value of a member is its property of the same name, or what stands after `=`: a path that begins at
the Swift type or, with a dot, at the value of the object around it. In metrics.table, what stands after `=` is a path
that begins at `RouterStatus`.
"""

import re
import sys

from openapi_documents import HERE, tree

SOURCES = HERE.parent / "Sources/Server"
HEADER = "// Made from protocol/{} by protocol/admin_swift.py: change that table.\n// swift-format-ignore-file\n"


def indented(lines):
    return ["    " + line for line in lines]


# MARK: - Bodies of answers

VIEWS = ["package import Basics", "package import RouterCore"]
OWN = ["internal import AdminAPI", "internal import Basics", "internal import RouterCore"]


def written_types(lines):
    """The lines that name a Swift type, at any depth."""
    for line in lines:
        if line.swift:
            yield line
        yield from written_types(line.below)


def members(lines, around):
    return [text for line in lines for text in member(line, around)]


def member(line, around):
    """The statements that write a member; `around` is the value of the object around it, and empty for `self`."""
    name, type = line.words[0], line.words[1].removesuffix("?")
    value = line.value or (around and ".") + name.removesuffix("?")
    value = around + value if value.startswith(".") else value
    if name.endswith("?"):
        return [f"if let value = {value} {{", *indented(written(line, name[:-1], type, "value", around)), "}"]
    return written(line, name, type, value, around)


def written(line, name, type, value, around):
    """The statements that write the value of a member."""
    if type == "object" and line.below:
        if not line.value and not line.words[1].endswith("?"):
            return [f'json.object("{name}") {{ json in', *indented(members(line.below, around)), "}"]
        return [f'json.object("{name}", of: {value}) {{ it, json in', *indented(members(line.below, "it")), "}"]
    if type == "[object]" and not line.swift:
        return [f'json.objects("{name}", of: {value}) {{ it, json in', *indented(members(line.below, "it")), "}"]
    if type.startswith("["):
        return [f'json.list("{name}", of: {value})']
    if type == "date-time":
        value += "?.rfc3339" if line.words[1].endswith("?") else ".rfc3339"
    label = {"number": "microseconds", "object": "json", "map:count": "counts"}.get(type, "value")
    return [f'json.member("{name}", {label}: {value})']


def bodies(table, imports, access="", module=""):
    """Writes the types whose names begin with a module, or have none."""
    yield from imports
    for line in written_types(tree(table)):
        if line.swift.startswith("RouterServer.") != bool(module):
            continue
        name = line.swift.removeprefix(module)
        yield from ["", f"extension {name}: AnswerObject {{", "    /// Writes its members into an open object."]
        yield f"    {access}func writeMembers(to json: inout JSONWriter) {{"
        yield from indented(indented(members(line.below, "")))
        yield from ["    }", "}"]


# MARK: - Metrics

ROW = re.compile(r"\w+ (\w+)(?: by \S+)?(?: was \w+)?(?: = (\S+))?: .*")


# The metrics of the admin server and of files, which the loop does not know.
WRITTEN_ELSEWHERE = ("admin_", "publish_", "store_last_backup", "audit_log_")


def metrics(table):
    """Writes the rows that have a value; those below `with` only if the status has that part."""
    yield from ["internal import Basics", "internal import RouterCore", "", "extension RouterStatus {"]
    yield "    /// Writes the metrics that the loop knows, in the order of `protocol/metrics.table`."
    yield "    func write(to metrics: inout MetricsText) {"
    for part in table.split("\n\n"):
        lines, condition = [], None
        for line in tree(part):
            if line.words[0] == "with":
                condition = line.words[1]
                continue
            name, value = ROW.fullmatch(line.whole).groups()
            if line.below:
                value = ", ".join(f'("{below.words[0]}", {below.value})' for below in line.below)
                value = f"[{value}]"
            if value:
                lines.append(f'metrics.write("{name}", value: {value})')
            elif not name.startswith(WRITTEN_ELSEWHERE):
                sys.exit(f"metrics.table: {name} has no value")
        if condition:
            lines = [f"if let {condition} {{", *indented(lines), "}"]
        yield from indented(indented(lines))
    yield from ["    }", "}"]


# MARK: - Routes

ACCESS = {"open": ".anybody", "either": ".anybodyOrOperator", "code": ".code"}


class Route:
    def __init__(self, line):
        self.method, self.path, self.name, _, self.access, *self.marks = line.words
        self.names = re.findall(r"\{(\w+)\}", self.path)
        self.query = [("limit", "limit") if part.words[0] == "limit" else tuple(part.words[1:])
                      for part in line.below if part.words[0] in ("query", "limit")]
        self.is_read_by_hand = any(part.words[0] == "body" for part in line.below) or any(
            type not in READERS for _, type in self.query)

    @property
    def is_own(self):
        return "here" in self.marks

    def swift(self):
        operation = f".here(.{self.name})" if self.is_own else f".loop {{ {self.request()} }}"
        parts = [f'"{self.method}"', f'path: "{self.path}"', f"operation: {operation}"]
        parameters = [f'"{name}"' for name, _ in self.query]
        if parameters:
            parts.append(f"parameters: [{', '.join(parameters)}]")
        access = ".bearerInQuery" if '"token"' in parameters else ACCESS.get(self.access)
        if access:
            parts.append(f"access: {access}")
        if self.access not in ACCESS and self.access != "viewer":
            parts.append(f"role: .{self.access}")
        if "command" in self.marks:
            parts.append("isCommand: true")
        return f"AdminRoute({', '.join(parts)}),"

    def request(self):
        """Reads what the loop is asked for from the path and the query, or calls a method that does."""
        parts = [(name, f'it.name({index}, as: "the {name}")') for index, name in enumerate(self.names)]
        parts += [(name, READERS[type].format(name)) for name, type in self.query if type in READERS]
        if self.is_read_by_hand:
            value = f"it.{self.name}()"
        elif not parts:
            return f"_ in .{self.name}"
        elif len(parts) == 1 and parts[0][0] == self.name:
            value = f".{self.name}({parts[0][1]})"
        else:
            value = f".{self.name}({', '.join(map(': '.join, parts))})"
        return f"(it) throws(AdminProblem) in try {value}"


#: How parameters are read, by their types.
READERS = {"Identifier": 'it.identifier("{}")', "number32": 'it.entry("{}")', "limit": "it.limit()"}


def quoted(name):
    """A name that may be one of Swift's own words."""
    return f"`{name}`" if name == "operator" else name


def routes(table):
    found = [Route(line) for line in tree(table) if line.words[0].isupper()]
    yield from ["extension AdminRoutes {", "    /// All routes.", "    static let all: [AdminRoute] = ["]
    yield from indented(indented(route.swift() for route in found))
    yield from ["    ]", "}", "", "extension AdminRoute {", "    /// What the admin server answers by itself."]
    yield from ["    enum Resource: Sendable {"]
    yield from (f"        case {quoted(route.name)}" for route in found if route.is_own)
    yield from ["    }", "}"]


def main():
    table, numbers = (path.read_text(encoding="utf-8") for path in (HERE / "admin.table", HERE / "metrics.table"))
    made = {
        "AdminAPI/Answers/Members.swift": ("admin.table", bodies(table, VIEWS, access="package ")),
        "RouterServer/FromOperators/Members.swift": ("admin.table", bodies(table, OWN, module="RouterServer.")),
        "AdminAPI/Requests/Routes.swift": ("admin.table", routes(table)),
        "AdminAPI/Status/Metrics.swift": ("metrics.table", metrics(numbers)),
    }
    for name, (source, lines) in made.items():
        text = HEADER.format(source) + "\n".join(lines) + "\n"
        if "--check" not in sys.argv:
            (SOURCES / name).write_text(text, encoding="utf-8")
        elif text != (SOURCES / name).read_text(encoding="utf-8"):
            sys.exit(f"{name} is not what {source} says: run protocol/admin_swift.py")


if __name__ == "__main__":
    main()
