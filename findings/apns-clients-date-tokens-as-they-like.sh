#!/usr/bin/env bash
# Apple asks for `iat` of a provider token as seconds since 1970, a number (RFC 7519, NumericDate). Three clients for Python,
# three forms: aioapns 4.0 sends a whole number, pyapns-client 2.0.6 one with a fraction, and kalyke-apns 1.5.0 a text.
# PyJWT, by which all three sign, takes each. So a peer that plays Apple's part for others' senders must take them, or say
# why it does not.
# Expected: the form of `iat`, and the type of what else the token says, of each client.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q kalyke-apns==1.5.0 pyapns-client==2.0.6 aioapns==4.0 cryptography 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >tokens.py <<'END'
import base64, importlib.metadata, json
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import ec
key = ec.generate_private_key(ec.SECP256R1()).private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
open("key.p8", "wb").write(key)
def kalyke():
    from kalyke import ApnsClient
    return ApnsClient(use_sandbox=True, team_id="TEAM", auth_key_id="KEY", auth_key_filepath="key.p8")._make_authorization()
def pyapns():
    from pyapns_client import APNSClient
    return APNSClient(mode=APNSClient.MODE_DEV, root_cert_path=None, auth_key_path="key.p8", auth_key_id="KEY", team_id="TEAM")._auth_token
def aioapns():
    from aioapns.connection import AuthorizationHeaderProvider, JWTAuthorizationHeaderProvider
    return JWTAuthorizationHeaderProvider(key=key.decode(), key_id="KEY", team_id="TEAM").get_header().split()[1]
for package, make in (("aioapns", aioapns), ("pyapns-client", pyapns), ("kalyke-apns", kalyke)):
    part = make().split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(part + "=="))
    print(package, importlib.metadata.version(package), *(f"{name}:{type(value).__name__}" for name, value in sorted(claims.items())))
END
venv/bin/python tokens.py | tee found
diff found - <<'END'
aioapns 4.0 iat:int iss:str
pyapns-client 2.0.6 iat:float iss:str
kalyke-apns 1.5.0 iat:str iss:str
END
