#!/usr/bin/env bash
# RFC 9864 (2025) names the signature of Ed25519 `Ed25519` and deprecates `EdDSA`. One key, one token under each name, five
# Python libraries at their newest (November 2026): jwcrypto and joserfc verify both, PyJWT and Authlib only the deprecated
# name, python-jose neither. So who signs under the name of the newer standard locks receivers out although nothing about
# the signature has changed.
# Expected: which library verifies the token of which name; the algorithm is allowed in each call.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q PyJWT==2.15.1 jwcrypto==1.6.1 joserfc==1.8.0 Authlib==1.9.6 python-jose==3.5.0 cryptography 2>/dev/null \
    || { echo "needs PyPI" && exit 77; }
cat >verify.py <<'END'
import base64, importlib.metadata, json, warnings
warnings.simplefilter("ignore")
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
text = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()
x = text(key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw))
def pyjwt(token, jwk, name):
    import jwt
    return jwt.decode(token, jwt.PyJWK(jwk, algorithm=name), algorithms=[name])
def jwcrypto(token, jwk, name):
    from jwcrypto import jwk as keys, jwt
    return json.loads(jwt.JWT(jwt=token, key=keys.JWK(**jwk), algs=[name]).claims)
def joserfc(token, jwk, name):
    from joserfc import jwk as keys, jwt
    return jwt.decode(token, keys.OKPKey.import_key(jwk), algorithms=[name]).claims
def authlib(token, jwk, name):
    from authlib.jose import JsonWebToken
    return dict(JsonWebToken([name]).decode(token, jwk))
def python_jose(token, jwk, name):
    from jose import jwt
    return jwt.decode(token, jwk, algorithms=[name])
for call in (pyjwt, jwcrypto, joserfc, authlib, python_jose):
    package = call.__name__.replace("_", "-")
    said = []
    for name in ("EdDSA", "Ed25519"):
        head, body = (text(json.dumps(part).encode()) for part in ({"alg": name}, {"sub": "shard-7"}))
        token = f"{head}.{body}.{text(key.sign(f'{head}.{body}'.encode()))}"
        try:
            said.append("yes" if call(token, {"kty": "OKP", "crv": "Ed25519", "x": x}, name) == {"sub": "shard-7"} else "other")
        except Exception:
            said.append("no")
    print(package, importlib.metadata.version(package), *said)
END
{ echo "library version EdDSA Ed25519"; venv/bin/python -W ignore verify.py 2>/dev/null; } | tee found
diff found - <<'END'
library version EdDSA Ed25519
pyjwt 2.15.1 yes no
jwcrypto 1.6.1 yes yes
joserfc 1.8.0 yes yes
authlib 1.9.6 yes no
python-jose 3.5.0 no no
END
