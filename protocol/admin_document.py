"""Makes the OpenAPI document of the admin API, admin.openapi.json, from admin.table.

    admin_document.py            writes it
    admin_document.py --check    says whether it is current

The table has a line for each member of each body, and a paragraph for each operation; its head says how
they are written. What all operations have in common is said once.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
TABLE, DOCUMENT = HERE / "admin.table", HERE / "admin.openapi.json"
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
REQUEST_ID = {"headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}}


class Line:
    """A line of the table: its words, what admin_swift.py reads, JSON, a sentence, and the lines indented below it."""

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


class Operation:
    def __init__(self, line, refusals):
        self.method, self.path, name, tag, access, *_ = line.words
        self.refusals, self.responses, self.body = refusals, {}, {}
        self.head = {"operationId": name, "summary": line.description["description"], "tags": [tag]} | {
            "open": {"security": [{}]}, "code": {"security": [{}]},
            "either": {"security": [{}, {"bearer": []}, {"certificate": []}]},
        }.get(access, {"x-role": access})
        self.parameters = [{"$ref": f"#/components/parameters/{name.capitalize()}"}
                           for name in re.findall(r"\{(\w+)\}", self.path)]
        for part in line.below:
            getattr(self, f"add_{part.words[0]}")(part, *part.words[1:])

    def add_details(self, line):
        self.head |= line.description

    def add_limit(self, _):
        self.parameters.append({"$ref": "#/components/parameters/Limit"})

    def add_query(self, line, name, type):
        own = {key: line.json.pop(key) for key in ("required", "example") if key in line.json}
        self.parameters.append({"name": name, "in": line.words[0]} | line.description
                               | {"schema": schema(type) | line.json} | own)

    add_header = add_query

    def add_body(self, line, type):
        """With an example; one whose type has a question mark need not be sent."""
        content = {"application/json": {"schema": schema(type.removesuffix("?")), "example": line.json}}
        self.body = {"requestBody": {"required": not type.endswith("?"), "content": content}}

    def add_or(self, line, content, type):
        """A body of another media type."""
        self.body["requestBody"]["content"][content] = {"schema": schema(type) | line.description}

    def add_answer(self, line, status, type):
        """Of a type, or of a media type."""
        if "/" not in type:
            content = {"application/json": {"schema": schema(type)}}
        else:
            content = {type: {"schema": {} if type == "*/*" else TYPES["string"]}}
        head = {} if type == "text/event-stream" else REQUEST_ID
        self.responses[status] = {"description": "Success."} | line.description | head | {"content": content}

    def add_copied(self, line):
        self.responses["304"] = line.description

    def add_refused(self, _, *words):
        for word in words:
            self.responses |= self.refusals[word]

    def object(self):
        parameters = {"parameters": self.parameters} if self.parameters else {}
        return self.head | parameters | self.body | {"responses": dict(sorted(self.responses.items()))}


def document(text):
    """The document that a table makes."""
    head, *lines = tree(text)
    found = json.loads(head.text_below)
    paths, responses, schemas, refusals = {}, {}, {}, {}
    problem = {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for line in lines:
        word, name, *rest = line.words
        if word == "refusal":
            headers = {"headers": REQUEST_ID["headers"] | line.json}
            responses[rest[0]] = line.description | headers | problem
            refusals[name] = {name: {"$ref": f"#/components/responses/{rest[0]}"}}
        elif word == "refusals":
            refusals[name] = {status: refusals[status][status] for status in rest}
        elif word == "type":
            schemas[name] = schema(rest[0] if rest else "object", line.below) | line.json | line.description
        else:
            operation = Operation(line, refusals)
            paths.setdefault(operation.path, {})[operation.method.lower()] = operation.object()
    found["components"] |= {"responses": responses, "schemas": schemas}
    return found | {"paths": paths}


def lines_of(value, depth):
    """JSON with each member on a line of its own, down to a depth."""
    if not depth or not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    parts = (f"{json.dumps(name)}: {lines_of(part, depth - 1)}" for name, part in value.items())
    return "{\n" + ",\n".join(parts) + "\n}"


def main():
    made = lines_of(document(TABLE.read_text(encoding="utf-8")), 3) + "\n"
    if "--check" not in sys.argv:
        DOCUMENT.write_text(made, encoding="utf-8")
    elif made != DOCUMENT.read_text(encoding="utf-8"):
        sys.exit("admin.openapi.json is not what admin.table makes: run protocol/admin_document.py")


if __name__ == "__main__":
    main()
