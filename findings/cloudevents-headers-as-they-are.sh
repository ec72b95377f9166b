#!/usr/bin/env bash
# The Python SDK cloudevents 1.12.0 in binary mode: the HTTP binding (3.1.3.2) says that characters beyond visible ASCII, `"`
# and `%` MUST be percent-encoded in a `ce-` header, and decoded by the receiver. The SDK does neither: an attribute with é
# is a header with é, one with `%20` stays `%20`, and 100% is sent as it is, which a receiver that decodes cannot read. An
# attribute that is a number or a boolean is no text among the headers, which `requests` 2.32.5 refuses to send.
# Expected: what is written of one event, what is read of one request, and what requests says.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q cloudevents==1.12.0 requests==2.32.5 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >events.py <<'END'
import requests
from cloudevents.conversion import to_binary
from cloudevents.http import CloudEvent, from_http
event = CloudEvent({"type": "com.game.potion", "source": "/shard/7", "id": "1", "subject": "Zoë has 100%", "level": 7}, {"a": 1})
headers, _ = to_binary(event)
print("written:", repr(headers["ce-subject"]), repr(headers["ce-level"]))
read = from_http({"ce-specversion": "1.0", "ce-type": "t", "ce-source": "/s", "ce-id": "1", "ce-subject": "Zo%C3%AB%20has%20100%25",
                  "content-type": "application/json"}, b"{}")
print("read:", repr(read["subject"]))
try:
    requests.Request("POST", "http://localhost", headers={"ce-level": headers["ce-level"]}).prepare()
except requests.exceptions.InvalidHeader as error:
    print("requests:", error)
END
venv/bin/python events.py | tee found
diff found - <<'END'
written: 'Zoë has 100%' 7
read: 'Zo%C3%AB%20has%20100%25'
requests: Header part (7) from ('ce-level', 7) must be of type str or bytes, not <class 'int'>
END
