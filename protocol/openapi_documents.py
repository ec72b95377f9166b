"""Makes the OpenAPI documents of both HTTP APIs: X.openapi.json from X.table, of operators (admin) and of others (http).

    openapi_documents.py            writes them
    openapi_documents.py --check    says whether they are current

A table has a line for each member of each body, and a paragraph for each operation; the head of admin.table says
how they are written. What all operations have in common is said once.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
#: Types in small letters; those in capitals are in the table.
TYPES = {
    "any": {}, "boolean": {"type": "boolean"}, "true": {"const": True}, "object": {"type": "object"},
    "string": {"type": "string"}, "date-time": {"type": "string", "format": "date-time"},
    "integer": {"type": "integer"}, "count": {"type": "integer", "format": "int64", "minimum": 0},
    "number": {"type": "number", "minimum": 0}, "number32": {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
    "time": {"type": "integer", "format": "int64"},
    "date": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 253402300799999},
}
LINE = re.compile(
    r"(?P<words>.*?)(?: : (?P<swift>\S+))?(?: = (?P<value>\S+))?(?: (?P<json>\{.*\}))?(?:  (?P<text>\S.*))?")
REQUEST_ID = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
PROBLEM = {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}


class Line:
    """A line of a table: its words, what admin_swift.py reads, JSON, a sentence, and the lines indented below it."""

    def __init__(self, text):
        found = LINE.fullmatch(text)
        self.whole, self.words, self.below = text, found["words"].split(), []
        self.swift, self.value = found["swift"], found["value"]
        self.json = json.loads(found["json"] or "{}")
        self.description = {"description": found["text"]} if found["text"] else {}

    @property
    def text_below(self):
        return " ".join(f"{line.whole} {line.text_below}" for line in self.below)


def tree(text):
    """The lines at the left margin, with the others below them."""
    top, path = [], []
    for text in text.splitlines():
        if text.strip() and not text.startswith("#"):
            depth, line = (len(text) - len(text.lstrip())) // 2, Line(text.strip())
            (path[depth - 1].below if depth else top).append(line)
            path[depth:] = [line]
    return top


def table(name):
    """The lines of a table, with those of admin.table that it shares by their names."""
    for line in tree((HERE / f"{name}.table").read_text(encoding="utf-8")):
        if line.words[0] == "shared":
            yield from (other for other in table("admin")
                        if other.words[0].islower() and not set(line.words[1:]).isdisjoint(other.words[1:3]))
        else:
            yield line


def schema(type, below=()):
    """The schema of a type; the lines below are the members of its objects."""
    if type.endswith("?"):
        return or_null(schema(type[:-1], below))
    if type.startswith("["):
        return {"type": "array", "items": schema(type[1:-1], below)}
    if type.startswith("map:"):
        return {"type": "object", "additionalProperties": schema(type[4:])}
    if "|" in type:
        return {"enum": type.split("|")}
    if type[0].isupper():
        return {"$ref": f"#/components/schemas/{type}"}
    return TYPES[type] | (members(below) if below else {})


def or_null(found):
    if "enum" in found:
        return found | {"enum": found["enum"] + [None]}
    if "type" in found:
        return found | {"type": [found["type"], "null"]}
    return {"oneOf": [found, {"type": "null"}]}


def members(lines):
    """The members of an object; one whose name has a question mark may be missing."""
    required = [line.words[0] for line in lines if not line.words[0].endswith("?")]
    properties = {
        line.words[0].removesuffix("?"): schema(line.words[1], line.below) | line.json | line.description
        for line in lines}
    return ({"required": required} if required else {}) | {"properties": properties}


def parameter(line, name, type):
    """A parameter of the path, the query or a header."""
    own = {key: line.json.pop(key) for key in ("required", "example") if key in line.json}
    return {"name": name, "in": line.words[0]} | line.description | {"schema": schema(type) | line.json} | own


def body_of_frame(line, name):
    """The body of a frame without the device, which the path names; lines below add to its members, or take away."""
    text = (HERE / f"schemas/{name}.schema.json").read_text(encoding="utf-8")
    found = json.loads(text.replace("#/$defs/", "#/components/schemas/frame."))
    members = {name: member for name, member in found["properties"].items() if name != "device"}
    for part in line.below:
        member = members[part.words[0]] | part.json | part.description
        members[part.words[0]] = {key: value for key, value in member.items() if value is not None}
    required = [name for name in found["required"] if name != "device"]
    body = {"type": "object"} | ({"required": required} if required else {}) | {"properties": members}
    return {f"frame.{key}": value for key, value in found["$defs"].items()} | {line.words[1]: body | line.description}


class Operation:
    ACCESS = {
        "open": {"security": [{}]}, "code": {"security": [{}]}, "client": {},
        "either": {"security": [{}, {"bearer": []}, {"certificate": []}]},
        "viewer": {"x-role": "viewer"}, "operator": {"x-role": "operator"}, "admin": {"x-role": "admin"},
    }

    def __init__(self, line, document):
        self.method, self.path, name, tag, access, *_ = line.words
        self.document, self.responses, self.body = document, {}, {}
        self.head = {"operationId": name, "summary": line.description["description"], "tags": [tag]}
        self.head |= self.ACCESS[access]
        self.parameters = [self.of_path(name) for name in re.findall(r"\{(\w+)\}", self.path)]
        for part in line.below:
            getattr(self, f"add_{part.words[0]}")(part, *part.words[1:])

    def of_path(self, name):
        """OPTIONS answers whatever stands in the path."""
        if self.method == "OPTIONS":
            return self.document.parameters[name] | {"schema": TYPES["string"]}
        return {"$ref": f"#/components/parameters/{name}"}

    def add_details(self, line):
        self.head |= line.description

    def add_limit(self, _):
        self.parameters.append({"$ref": "#/components/parameters/limit"})

    def add_query(self, line, name, type):
        self.parameters.append(parameter(line, name, type))

    add_header = add_query

    def add_body(self, line, type):
        """With an example; one whose type has a question mark need not be sent."""
        content = {"application/json": {"schema": schema(type.removesuffix("?")), "example": line.json}}
        self.body = {"requestBody": {"required": not type.endswith("?"), "content": content}}

    def add_or(self, line, content, type):
        """A body of another media type."""
        self.body["requestBody"]["content"][content] = {"schema": schema(type) | line.json | line.description}

    def add_answer(self, line, status, type):
        """Of a type, of a media type, or without a body; with further headers."""
        if type == "none":
            content = {}
        elif "/" not in type:
            content = {"content": {"application/json": {"schema": schema(type)}}}
        else:
            content = {"content": {type: {"schema": {} if type == "*/*" else TYPES["string"]}}}
        headers = {} if type == "text/event-stream" else {"headers": REQUEST_ID | line.json}
        self.responses[status] = {"description": "Success."} | line.description | headers | content

    def add_copied(self, line):
        self.responses["304"] = line.description

    def add_refused(self, _, *words):
        for word in words:
            self.responses |= self.document.refusals[word]

    def object(self):
        parameters = {"parameters": self.parameters} if self.parameters else {}
        return self.head | parameters | self.body | {"responses": dict(sorted(self.responses.items()))}


class Document:
    """What a table says."""

    def __init__(self, name):
        self.paths, self.refusals = {}, {}
        self.headers, self.parameters, self.responses, self.schemas = {}, {}, {}, {}
        for line in table(name):
            add = getattr(self, f"add_{line.words[0]}", None)
            add(line, *line.words[1:]) if add else self.add_operation(line)

    def add_document(self, line):
        self.head = json.loads(line.text_below)

    def add_header(self, line, name, type):
        self.headers[name] = line.description | {"schema": schema(type) | line.json}

    def add_path(self, line, name, type):
        self.parameters[name] = parameter(line, name, type) | {"required": True}

    def add_query(self, line, name, type):
        self.parameters[name] = parameter(line, name, type)

    def add_refusal(self, line, status, name):
        """Operations name it by its status or, if several have that, by its name."""
        self.responses[name] = line.description | {"headers": REQUEST_ID | line.json} | PROBLEM
        self.refusals[name] = {status: {"$ref": f"#/components/responses/{name}"}}
        self.refusals[status] = None if status in self.refusals else self.refusals[name]

    def add_refusals(self, _, name, *words):
        self.refusals[name] = {status: one for word in words for status, one in self.refusals[word].items()}

    def add_type(self, line, name, type="object"):
        self.schemas[name] = schema(type, line.below) | line.json | line.description

    def add_frame(self, line, _, name):
        self.schemas |= body_of_frame(line, name)

    def add_operation(self, line):
        operation = Operation(line, self)
        self.paths.setdefault(operation.path, {})[operation.method.lower()] = operation.object()
        _, path, name, tag, _, *marks = line.words
        if unknown := set(marks) - {"here", "command", "methods"}:
            sys.exit(f"{operation.method} {path} has the unknown words {sorted(unknown)}")
        if "methods" in marks:
            self.methods.words = ["OPTIONS", path, f"{name}Methods", tag, "open"]
            self.add_operation(self.methods)

    def add_methods(self, line):
        """What OPTIONS answers at the paths of operations with this mark."""
        self.methods = line

    def object(self):
        self.head["components"] |= {"headers": self.headers, "parameters": self.parameters,
                                    "responses": self.responses, "schemas": self.schemas}
        return self.head | {"paths": self.paths}


def lines_of(value, depth):
    """JSON with each member on a line of its own, down to a depth."""
    if not depth or not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    parts = (f"{json.dumps(name)}: {lines_of(part, depth - 1)}" for name, part in value.items())
    return "{\n" + ",\n".join(parts) + "\n}"


def main():
    for name in ("admin", "http"):
        path, made = HERE / f"{name}.openapi.json", lines_of(Document(name).object(), 3) + "\n"
        if "--check" not in sys.argv:
            path.write_text(made, encoding="utf-8")
        elif made != path.read_text(encoding="utf-8"):
            sys.exit(f"{path.name} is not what {name}.table makes: run protocol/openapi_documents.py")


if __name__ == "__main__":
    main()
