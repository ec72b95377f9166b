"""Signs a token for one device, as an app's backend does after it has recognised the device's user.

The key is what `reload-router token new --key HS256 --out key.jwk` wrote; the entry that it printed stands
in `devices` of the app file. Python's standard library suffices.
"""

import base64
import hashlib
import hmac
import json
import sys
import time


def device_token(jwk, app, device, seconds=3600):
    """A token with which this device, and no other, may connect for `seconds`."""
    now = int(time.time())
    claims = {"sub": device, "aud": app, "role": "device", "iat": now, "exp": now + seconds}
    parts = [json.dumps(part).encode() for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
    text = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    secret = base64.urlsafe_b64decode(jwk["k"] + "==")
    code = base64.urlsafe_b64encode(hmac.digest(secret, text, hashlib.sha256)).rstrip(b"=")
    return (text + b"." + code).decode()


if __name__ == "__main__":
    file, app, device = sys.argv[1:]
    print(device_token(json.load(open(file)), app, device))
