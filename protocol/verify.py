"""Checks that the protocol's table, vectors, schemas and specification agree with each other.

Needs only the standard library. If the package jsonschema is installed, the bodies of the vectors and
the example apps are checked against the schemas too.
"""

import json
import pathlib
import re
import struct
import sys

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE / "vectors"), str(HERE / "examples")]
import frozen  # noqa: E402 (it is found by the path above)
from capture import Capture, Damaged  # noqa: E402 (it is found by the path above)
from openapi_documents import Document  # noqa: E402 (it is beside this file)
from pattern_model import Model, read  # noqa: E402 (it is found by the path above)

# Codes without a vector, because bytes on one connection cannot cause them: they take time, tokens, other
# connections, or settings and rules of the router.
WITHOUT_VECTOR = {
    "frame-timeout", "hello-timeout", "ping-timeout", "window-exceeded", "token-expired", "token-revoked",
    "app-unknown", "tls-required",
    "session-replaced", "device-attached", "too-many-connections", "too-many-producers", "too-many-devices",
    "payload-combinations", "pattern-cost", "quota-exceeded",
}
PUSH, REJECT, OUTCOME, ERROR = 0x10, 0x12, 0x13, 0x7E
# The pages of the specification that have tables of protocol.json, and app files.
PAGES = ("README", "publisher", "device", "app-file", "operations")
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


def payload(body, flags):
    """The payload of a PUSH, without the date and the names of kinds that flags put in front of it."""
    if flags & 2:
        body = body[8:]
    return body[2 + int.from_bytes(body[:2], "big"):] if flags & 4 else body


def schema_errors(schemas, name, text):
    return list(schemas[name].iter_errors(json.loads(text)))[:1]


def check_table(table, texts):
    effects = {"error", "reject", "either"}
    advices = texts["error.schema.json"]["properties"]["retry"]["enum"]
    check(texts["reject.schema.json"]["properties"]["retry"]["enum"] == advices, "the advices of REJECT")
    for frame in table["frames"]:
        check(frame["schema"] is None or frame["schema"] in texts, f"no schema {frame['schema']}")
        check(frame["hex"] == f"0x{frame['type']:02x}", f"{frame['name']}: hex")
    for error in table["errors"]:
        check(error["effect"] in effects, f"{error['code']}: effect {error['effect']}")
        check(error["retry"] in advices, f"{error['code']}: retry {error['retry']}")
    for list_name, key in [("frames", "type"), ("frames", "name"), ("errors", "code"),
                           ("limits", "name"), ("reasons", "reason")]:
        names = [entry[key] for entry in table[list_name]]
        check(len(set(names)) == len(names), f"{list_name}: a {key} stands twice")
    causes = texts["reload.schema.json"]["properties"]["cause"]["enum"]
    check(causes == table["causes"], "the causes of reload.schema.json")
    named = texts["outcome.schema.json"]["properties"]["widgets"]["maxItems"]
    limits = {limit["name"]: limit["default"] for limit in table["limits"]}
    check(named == limits["outcomeWidgets"], "the most widgets of outcome.schema.json")


def check_frames(table, schemas):
    types = {frame["type"]: frame for frame in table["frames"]}
    advices = {error["code"]: error["retry"] for error in table["errors"]}
    seen = set()
    for vector in load("vectors/frames.json"):
        kind, flags, seq, body = decode(bytes.fromhex(vector["hex"]))
        frame = vector["frame"]
        name = vector["name"]
        check((kind, flags, str(seq)) == (frame["type"], frame["flags"], frame["seq"]), name)
        known = sum(flag["bit"] for flag in types[kind]["flags"])
        check(flags & ~known == 0, f"{name}: flags")
        expected = frame["body"].encode() if "body" in frame else bytes.fromhex(frame["bodyHex"])
        check(body == expected, f"{name}: body")
        seen.add(kind)
        schema = types[kind]["schema"]
        if schema and schemas:
            errors = schema_errors(schemas, schema, payload(body, flags) if kind == PUSH else body)
            check(not errors, f"{name}: {errors}")
        if frame["type"] in (ERROR, REJECT):
            refusal = json.loads(body)
            check(advices[refusal["code"]] == refusal["retry"], f"{name}: retry")
        if frame["type"] == OUTCOME:
            counted = json.loads(body).get("counts", {})
            unknown = set(counted) - {reason["reason"] for reason in table["reasons"]}
            check(not unknown, f"{name}: outcomes that are no reasons: {unknown}")
    check(seen == set(types), f"frame types without a vector: {set(types) - seen}")


def check_malformed(table, schemas):
    types = {frame["type"]: frame for frame in table["frames"]}
    effects = {error["code"]: error["effect"] for error in table["errors"]}
    vectors = load("vectors/malformed.json")
    for vector in vectors:
        name, code = vector["name"], vector["error"]
        check(code in effects, f"{name}: code {code}")
        check(effects.get(code) in (vector["effect"], "either"), f"{name}: effect")
        # These codes are about the form of a body, so the schema must refuse it too.
        if schemas and code in ("body-invalid", "hello-invalid"):
            kind, _, seq, body = decode(bytes.fromhex(vector["hex"]))
            errors = schema_errors(schemas, types[kind]["schema"], body)
            has_bad_seq = code == "hello-invalid" and seq != 0
            check(errors or has_bad_seq, f"{name}: the schema takes it")
    names = [vector["name"] for vector in vectors]
    check(len(set(names)) == len(names), "malformed.json: a name stands twice")
    missing = set(effects) - {vector["error"] for vector in vectors} - WITHOUT_VECTOR
    check(not missing, f"codes without a vector: {missing}")
    for vector in load("vectors/json.json"):
        check(vector["valid"] or vector["error"] in effects, f"{vector['name']}: code")


# Faults of a pattern that a JSON Schema cannot express: those of bytes and keys, and those in the meaning
# of strings and numbers.
WITHOUT_SCHEMA = {
    "pattern-not-json", "pattern-too-deep", "pattern-duplicate-key", "pattern-number-range",
    "pattern-range", "pattern-wildcard", "pattern-regexp", "pattern-cidr", "pattern-limit",
}


def check_patterns(table, schemas):
    text = (HERE / "patterns.md").read_text(encoding="utf-8")
    codes = set(re.findall(r"^\| `(pattern-[a-z0-9-]+)` \|", text, re.MULTILINE))
    others = {error["code"] for error in table["errors"]}
    vectors = load("vectors/patterns.json")
    for vector in vectors:
        name, result = vector["name"], vector["result"]
        if isinstance(result, bool):
            model = Model(read(vector.get("configuration", "{}")))
            judged = model.matches(read(vector["pattern"]), read(vector["event"]))
            check(judged == result, f"{name}: pattern_model.py says {judged}")
        else:
            check(result in codes | others, f"{name}: code {result}")
        if schemas and result not in WITHOUT_SCHEMA:
            app = {"app": "a", "kinds": [{"kind": "k", "match": json.loads(vector["pattern"])}]}
            errors = schema_errors(schemas, "app-file.schema.json", json.dumps({"apps": [app]}))
            check(bool(errors) == (result in codes), f"{name}: the schema: {errors}")
    names = [vector["name"] for vector in vectors]
    check(len(set(names)) == len(names), "patterns.json: a name stands twice")
    # The patterns in patterns.json are text, which cannot contain invalid UTF-8.
    missing = codes - {vector["result"] for vector in vectors} - {"pattern-not-utf8"}
    check(not missing, f"pattern codes without a vector: {missing}")


def check_specification(table, schemas):
    pages = [(HERE / f"{page}.md").read_text(encoding="utf-8") for page in PAGES]
    text = "\n".join(pages)
    letters = {"error": "E", "reject": "R", "either": "R, E"}
    rows = [f"| {frame['hex']} | {frame['name']} |" for frame in table["frames"]]
    rows += [
        f"| `{error['code']}` | {letters[error['effect']]} | {error['retry']} | "
        f"{error['meaning']} | {error['advice']} |"
        for error in table["errors"]
    ]
    rows += [
        f"| `{limit['name']}` | {limit['default']:,} {limit['unit']} | {limit['at the limit']} |"
        for limit in table["limits"]
    ]
    rows += [f"| `{reason['reason']}` | {reason['meaning']} |" for reason in table["reasons"]]
    for row in rows:
        check(text.count(row) == 1, f"the pages have {text.count(row)} times the row {row}")
    for cause in table["causes"]:
        row = re.search(rf"^\| `{cause}` \| .+ \|$", text, re.MULTILINE)
        check(row, f"no page says when the cause {cause} is given")
    if schemas:
        for example in re.findall(r'^```json\n(\{"apps".*?)^```$', text, re.MULTILINE | re.DOTALL):
            errors = schema_errors(schemas, "app-file.schema.json", example)
            check(not errors, f"an app file in a page: {errors}")


def check_stories():
    """The first pushes of README.md are programs that tests run."""
    text = (HERE / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"`(clients/\S+)`:\n\n```\w+\n(.*?)```\n", text, re.DOTALL)
    check(len(found) == 3, f"README.md has {len(found)} programs in place of 3")
    for path, copy in found:
        check(copy == (HERE / path).read_text(encoding="utf-8"), f"README.md has another text than {path}")


def check_captures():
    for vector in load("vectors/captures.json"):
        name = vector["name"]
        try:
            found = Capture(bytes.fromhex(vector["hex"]))
        except Damaged as damage:
            check("error" in vector, f"{name}: {damage}")
            continue
        check("error" not in vector, f"{name}: it is read")
        check([found.header] + found.records == vector.get("lines"), f"{name}: lines")
        check(found.cut_off == vector.get("cutOff"), f"{name}: cutOff")


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
    for folder in sorted(p.parent for p in (HERE.parent / "deploy" / "examples").glob("*/apps.json")):
        documents = [("apps.json", "app-file.schema.json", (folder / "apps.json").read_text())]
        lines = {"widgets.jsonl": "widgets-line.schema.json", "pushes.jsonl": "push.schema.json"}
        for file, schema in lines.items():
            for number, line in enumerate((folder / file).read_text().splitlines(), 1):
                documents.append((f"{file}:{number}", schema, line))
        for name, schema, text in documents:
            errors = schema_errors(schemas, schema, text)
            check(not errors, f"{folder.name}/{name}: {errors}")


def check_conformance():
    """Each sentence of a standard in http-conformance.md has a test, which is named by its file and its name."""
    files = {path.stem: path for path in (HERE.parent / "Tests").rglob("*") if path.suffix in (".swift", ".py")}
    rows = re.findall(r"^\|.*\| `(\w+)` (.+?) \|$", (HERE / "http-conformance.md").read_text(encoding="utf-8"), re.M)
    check(len(rows) > 50, "http-conformance.md: few sentences have a test")
    for file, name in rows:
        text = files[file].read_text(encoding="utf-8") if file in files else ""
        known = f"func `{name}`", f'@Test("{name}"', f"def {name}(self"
        check(any(each in text for each in known), f"http-conformance.md: there is no test {file}, {name}")


def check_metrics():
    """deploy/metrics.md explains each metric of the table, with its type, its labels and its former name."""
    table, former = {}, {}
    text = (HERE / "metrics.table").read_text(encoding="utf-8")
    check("\\" not in text, "metrics.table: a backslash would have to be escaped")
    for kind, name, labels, old in re.findall(r"^(\w+) (\w+)(?: by (\S+?))?(?: was (\w+))?(?: = \S+)?: .", text, re.M):
        table[name] = (kind, [label for label in labels.split(",") if label not in ("", "le")])
        if old:
            former[name] = old
    page = (HERE.parent / "deploy" / "metrics.md").read_text(encoding="utf-8")
    explained = {}
    for names, kind, labels in re.findall(r"^\| (`[^|]*) \| (\w+) \| ([^|]*)\|", page, re.M):
        for name in re.findall(r"`(\w+)`", names):
            check(name not in explained, f"metrics.md: {name} is explained twice")
            explained[name] = (kind, re.findall(r"`(\w+)`", labels))
    for name in sorted(table.keys() | explained.keys()):
        found, wanted = explained.get(name), table.get(name)
        check(found == wanted, f"metrics.md: {name} is {found}, and in metrics.table {wanted}")
    check(former == dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|$", page, re.M)), "metrics.md: former names differ")


def check_statuses():
    """What the tests of `top` let it read are members that admin.table has: it shows others as missing."""
    schemas = Document("admin").schemas

    def walk(value, schema, place):
        schema = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
        for each in value if isinstance(value, list) else ():
            walk(each, schema["items"], place)
        for name, each in value.items() if isinstance(value, dict) else ():
            known = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            check(known, f"{place}: a status has no member {name}")
            walk(each, known or {}, place)

    for path in (HERE.parent / "Tests/Commands/CommandTests/Top/Cases").glob("*.json"):
        walk(json.loads(path.read_text(encoding="utf-8")), {"$ref": "/Status"}, path.name)


def main():
    table = load("protocol.json")
    texts, schemas = load_schemas()
    check_table(table, texts)
    check_frames(table, schemas)
    check_malformed(table, schemas)
    check_patterns(table, schemas)
    check_captures()
    problems.extend(frozen.changes())
    check_specification(table, schemas)
    check_stories()
    check_conformance()
    check_metrics()
    check_statuses()
    if schemas:
        check_examples(schemas)
    for problem in problems:
        print("protocol:", problem)
    print(f"{len(table['frames'])} frame types, {len(table['errors'])} codes: ", end="")
    print("they disagree" if problems else "table, vectors, schemas and specification agree")
    return 1 if problems else 0


sys.exit(main())
