#!/usr/bin/env bash
# pywebpush 2.5.0 signs each push for the service that it goes to (RFC 8292: `aud` is the push service's origin), and writes `aud`
# and `exp` into the caller's own dictionary of claims. An `aud` that is there already is kept. So whoever keeps the claims, which
# are the same for all pushes, in one dictionary signs every later push for the service of the first subscriber, and the services
# of other browsers are sent a token that is not for them. Its README says that the dictionary is changed, not what comes of it.
# Expected: where each of three pushes goes, and whom its token is for: with one dictionary, and with a new one for each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pywebpush==2.5.0 py-vapid==1.9.6 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >pushes.py <<'END'
import base64, json
from unittest.mock import MagicMock
import py_vapid, pywebpush
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import ec
def text(data): return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
key = py_vapid.Vapid()
key.generate_keys()
device = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(form.Encoding.X962, form.PublicFormat.UncompressedPoint)
def audience(host, claims):
    session = MagicMock()
    session.post.return_value.status_code = 201
    subscription = {"endpoint": f"https://{host}/push/1", "keys": {"p256dh": text(device), "auth": text(bytes(16))}}
    pywebpush.webpush(subscription, "one", vapid_private_key=key, vapid_claims=claims, requests_session=session)
    headers = {name.lower(): value for name, value in session.post.call_args.kwargs["headers"].items()}
    part = headers["authorization"].split("t=")[1].split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=="))["aud"]
hosts, claims = ("first.example", "second.example", "third.example"), {"sub": "mailto:ops@game.example"}
for name, choose in (("a new one:", lambda: {"sub": "mailto:ops@game.example"}), ("one:", lambda: claims)):
    print(name, *[f"{host} {audience(host, choose())}," for host in hosts])
print("left in it:", *claims)
END
venv/bin/python pushes.py | tee found
diff found - <<'END'
a new one: first.example https://first.example, second.example https://second.example, third.example https://third.example,
one: first.example https://first.example, second.example https://first.example, third.example https://first.example,
left in it: sub aud exp
END
