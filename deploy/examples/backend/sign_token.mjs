// Signs a token for one device, as an app's backend does after it has recognised the device's user.
//
// The key is what `reload-router token new --key EdDSA --out key.jwk` wrote (HS256 and ES256 work, too); the
// entry that it printed stands in `devices` of the app file. Node's own modules suffice.
import { createHmac, createPrivateKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";

/** A token with which this device, and no other, may connect for `seconds`. */
export function deviceToken(jwk, app, device, seconds = 3600) {
  const algorithm = { oct: "HS256", OKP: "EdDSA", EC: "ES256" }[jwk.kty];
  const iat = Math.floor(Date.now() / 1000);
  const claims = { sub: device, aud: app, role: "device", iat, exp: iat + seconds };
  const parts = [{ alg: algorithm, typ: "JWT" }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const key = jwk.kty === "oct" ? null : { key: createPrivateKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" };
  const signature = key
    ? sign(jwk.kty === "EC" ? "sha256" : null, Buffer.from(text), key)
    : createHmac("sha256", Buffer.from(jwk.k, "base64url")).update(text).digest();
  return `${text}.${signature.toString("base64url")}`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [file, app, device] = process.argv.slice(2);
  console.log(deviceToken(JSON.parse(readFileSync(file, "utf8")), app, device));
}
