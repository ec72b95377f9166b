#!/usr/bin/env bash
# Python's cloudevents 2.2.0: its from_http takes a request for binary mode if any header begins with `ce-`, whatever the
# Content-Type. The HTTP binding 1.0.2 tells the modes apart by Content-Type, and lets a sender of structured mode repeat the
# attributes as `ce-` headers for those who route by them (3.2.2). Such an event is read without an error, but its data is
# the whole envelope, and its datacontenttype the envelope's. With only one such header, which a proxy may add, the event
# is refused for want of attributes that it has. cloudevents 1.12.0 reads all of them rightly.
# Expected: datacontenttype and data as each version reads them: no `ce-` header, all of them, one of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for version in 1.12.0 2.2.0; do
    python3 -m venv $version
    $version/bin/pip install -q cloudevents==$version 2>/dev/null || { echo "needs PyPI" && exit 77; }
done
cat >modes.py <<'END'
import importlib.metadata, json
version = importlib.metadata.version("cloudevents")
def read(headers, body):
    if version.startswith("1."):
        from cloudevents.http import from_http
        event = from_http(headers, body)
        return event["datacontenttype"], event.data
    from cloudevents.core.bindings.http import HTTPMessage, from_http
    from cloudevents.core.formats.json import JSONFormat
    event = from_http(HTTPMessage(headers=headers, body=body), JSONFormat())
    return event.get_datacontenttype(), event.get_data()
attributes = {"specversion": "1.0", "id": "1", "source": "/shard/7", "type": "potion"}
body = json.dumps({**attributes, "datacontenttype": "application/json", "data": {"elf": 42}}).encode()
every = {f"ce-{name}": value for name, value in attributes.items()}
for said, more in (("none", {}), ("every", every), ("one", {"ce-type": "potion"})):
    try: kind, data = read({"content-type": "application/cloudevents+json", **more}, body)
    except Exception as error: print(version, said, type(error).__name__)
    else: print(version, said, kind, json.dumps(data))
END
for version in 1.12.0 2.2.0; do $version/bin/python modes.py; done | tee found
diff found - <<'END'
1.12.0 none application/json {"elf": 42}
1.12.0 every application/json {"elf": 42}
1.12.0 one application/json {"elf": 42}
2.2.0 none application/json {"elf": 42}
2.2.0 every application/cloudevents+json {"specversion": "1.0", "id": "1", "source": "/shard/7", "type": "potion", "datacontenttype": "application/json", "data": {"elf": 42}}
2.2.0 one CloudEventValidationError
END
