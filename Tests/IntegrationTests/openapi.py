"""The OpenAPI documents of the HTTP servers, and checks of answers against them.

Supports the parts of JSON Schema that the document uses, and refuses all others.
"""

import json
import pathlib
import re

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "protocol" / "admin.openapi.json"
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int,
         "number": (int, float), "null": type(None)}
KNOWN = {"type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
         "oneOf", "const", "enum", "minimum", "maximum", "pattern", "minLength", "maxLength", "description",
         "format", "default", "$ref"}


class Document:
    def __init__(self, path=DOCUMENT):
        self.json = json.loads(path.read_text())

    def resolve(self, node):
        """Resolves a reference."""
        while "$ref" in node:
            found = self.json
            for name in node["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            node = found
        return node

    @property
    def operations(self):
        """Yields the method, path and object of each operation."""
        for path, item in self.json["paths"].items():
            for method, operation in item.items():
                yield method.upper(), path, operation

    def operation(self, name):
        return next(found for found in self.operations if found[2]["operationId"] == name)

    def check(self, operation, answer):
        """Raises unless the answer is one that the operation may have."""
        response = self.resolve(operation["responses"].get(str(answer.status)) or {})
        name = operation["operationId"]
        assert response, f"{name}: {answer.status} is not in the document: {answer.text[:500]}"
        content = response.get("content")
        if not content or "*/*" in content:
            return
        type = (answer.type or "").partition(";")[0]
        assert type in content, f"{name}: {type} is not in the document"
        if type.endswith("json"):
            self.check_value(content[type]["schema"], json.loads(answer.text), name)

    def check_value(self, schema, value, place):
        """Raises unless a value is what a schema says."""
        schema = self.resolve(schema)
        assert not schema.keys() - KNOWN, f"{place}: cannot check {schema.keys() - KNOWN}"
        for wrong in self._problems(schema, value, place):
            raise AssertionError(f"{wrong}: {value!r}")

    def _problems(self, schema, value, place):
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(self._is(value, type) for type in types):
            yield f"{place} is no {types}"
            return
        if "oneOf" in schema and sum(self._fits(one, value) for one in schema["oneOf"]) != 1:
            yield f"{place} is not one of {schema['oneOf']}"
        if "const" in schema and value != schema["const"]:
            yield f"{place} is not {schema['const']}"
        if "enum" in schema and value not in schema["enum"]:
            yield f"{place} is none of {schema['enum']}"
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
                yield f"{place} is out of its range"
        if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
            yield f"{place} is not {schema['pattern']}"
        if isinstance(value, list):
            if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
                yield f"{place} has {len(value)} elements"
            for index, element in enumerate(value):
                self.check_value(schema.get("items", {}), element, f"{place}[{index}]")
        if isinstance(value, dict):
            yield from self._member_problems(schema, value, place)

    def _member_problems(self, schema, value, place):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{place} has no {name}"
        # What the document does not name is not there, unless it says that there may be more.
        others = schema.get("additionalProperties", "properties" not in schema)
        for name, member in value.items():
            known = schema.get("properties", {}).get(name)
            if known is None and others is False:
                yield f"{place} has {name}, too"
            of_others = others if isinstance(others, dict) else {}
            self.check_value(of_others if known is None else known, member, f"{place}.{name}")

    def _is(self, value, type):
        is_number = type in ("integer", "number")
        return isinstance(value, TYPES[type]) and not (is_number and isinstance(value, bool))

    def _fits(self, schema, value):
        try:
            self.check_value(schema, value, "")
        except AssertionError:
            return False
        return True
