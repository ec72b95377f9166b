"""Checks that the protocol's table, vectors, schemas and specification agree with each other.

Standard library only; with the package jsonschema installed the bodies of the vectors are checked
against the schemas too.
"""

import json
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
problems = []


def load(name):
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def check(condition, problem):
    if not condition:
        problems.append(problem)


def decode(data):
    length, kind, flags, reserved, seq = struct.unpack(">IBBHQ", data[:16])
    check(length == len(data) - 4, f"length {length} of {data.hex()}")
    check(reserved == 0, f"reserved bytes of {data.hex()}")
    return kind, flags, seq, data[16:]


def check_vectors(table, schemas):
    types = {frame["type"]: frame for frame in table["frames"]}
    codes = {error["code"] for error in table["errors"]}
    seen = set()
    for vector in load("vectors/frames.json"):
        kind, flags, seq, body = decode(bytes.fromhex(vector["hex"]))
        frame = vector["frame"]
        name = vector["name"]
        check((kind, flags, seq) == (frame["type"], frame["flags"], frame["seq"]), name)
        known = sum(flag["bit"] for flag in types[kind]["flags"])
        check(flags & ~known == 0, f"{name}: flags")
        expected = frame["body"].encode() if "body" in frame else bytes.fromhex(frame["bodyHex"])
        check(body == expected, f"{name}: body")
        seen.add(kind)
        schema = types[kind]["schema"]
        if schema and schemas:
            text = body[8:] if flags & 2 else body
            errors = list(schemas[schema].iter_errors(json.loads(text)))
            check(not errors, f"{name}: {errors[:1]}")
    check(seen == set(types), f"frame types without a vector: {set(types) - seen}")
    for vector in load("vectors/malformed.json"):
        check(vector["error"] in codes, f"{vector['name']}: code {vector['error']}")
    for vector in load("vectors/json.json"):
        check(vector["valid"] or vector["error"] in codes, f"{vector['name']}: code")


def check_specification(table):
    text = (HERE / "README.md").read_text(encoding="utf-8")
    for frame in table["frames"]:
        row = f"| {frame['hex']} | {frame['name']} |"
        check(row in text, f"README.md has no row {row}")
    for error in table["errors"]:
        check(f"`{error['code']}`" in text, f"README.md does not name {error['code']}")


def load_schemas():
    files = sorted((HERE / "schemas").glob("*.json"))
    texts = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in files}
    try:
        import jsonschema
    except ImportError:
        return texts, None
    validator = jsonschema.Draft202012Validator
    for text in texts.values():
        validator.check_schema(text)
    return texts, {name: validator(text) for name, text in texts.items()}


def check_examples(schemas):
    if not schemas:
        return
    for app in (HERE.parent / "deploy" / "examples").glob("*/apps.json"):
        errors = list(schemas["app-file.schema.json"].iter_errors(json.loads(app.read_text())))
        check(not errors, f"{app}: {errors[:1]}")


def main():
    table = load("protocol.json")
    texts, schemas = load_schemas()
    for frame in table["frames"]:
        check(frame["schema"] is None or frame["schema"] in texts, f"no schema {frame['schema']}")
    check_vectors(table, schemas)
    check_specification(table)
    check_examples(schemas)
    for problem in problems:
        print("protocol:", problem)
    print(f"{len(table['frames'])} frame types, {len(table['errors'])} codes: ", end="")
    print("they disagree" if problems else "table, vectors, schemas and specification agree")
    return 1 if problems else 0


sys.exit(main())
