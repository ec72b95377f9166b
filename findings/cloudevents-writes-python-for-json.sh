#!/usr/bin/env bash
# Python's cloudevents 2.2.0 in binary mode writes data that is an object as JSON, and all other data as Python prints it,
# under application/json all the same: an array as ['elf', True], a boolean as True, a text without its quotes, which makes
# a number of "5". So who reads an event and forwards it, and touches nothing, sends other data. Its structured mode writes
# JSON of the same data, and so does the binary mode of cloudevents 1.12.0.
# Expected: the body that comes, the body that each version forwards, and whether that is the same JSON.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for version in 1.12.0 2.2.0; do
    python3 -m venv $version
    $version/bin/pip install -q cloudevents==$version 2>/dev/null || { echo "needs PyPI" && exit 77; }
done
cat >forward.py <<'END'
import importlib.metadata, json
version = importlib.metadata.version("cloudevents")
def forward(headers, body):
    if version.startswith("1."):
        from cloudevents.conversion import to_binary
        from cloudevents.http import from_http
        return to_binary(from_http(headers, body))[1]
    from cloudevents.core.bindings.http import HTTPMessage, from_binary, to_binary
    from cloudevents.core.formats.json import JSONFormat
    return to_binary(from_binary(HTTPMessage(headers=headers, body=body), JSONFormat()), JSONFormat()).body
def same(text, other):
    try: return json.dumps(json.loads(text)) == json.dumps(json.loads(other))
    except ValueError: return False
headers = {"content-type": "application/json", "ce-specversion": "1.0", "ce-id": "1", "ce-source": "/shard/7", "ce-type": "potion"}
for body in (b'{"elf": true}', b'["elf", true]', b'true', b'"elf"', b'"5"', b'5'):
    sent = forward(headers, body)
    sent = sent.encode() if isinstance(sent, str) else sent
    print(version, body.decode(), "->", sent.decode(), same(body, sent))
END
for version in 1.12.0 2.2.0; do $version/bin/python forward.py; done | tee found
diff found - <<'END'
1.12.0 {"elf": true} -> {"elf": true} True
1.12.0 ["elf", true] -> ["elf", true] True
1.12.0 true -> true True
1.12.0 "elf" -> "elf" True
1.12.0 "5" -> "5" True
1.12.0 5 -> 5 True
2.2.0 {"elf": true} -> {"elf": true} True
2.2.0 ["elf", true] -> ['elf', True] False
2.2.0 true -> True False
2.2.0 "elf" -> elf False
2.2.0 "5" -> 5 False
2.2.0 5 -> 5 True
END
