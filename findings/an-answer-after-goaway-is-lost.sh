#!/usr/bin/env bash
# GOAWAY of HTTP/2 names the last stream that the server has taken; what it took before may still be answered on the connection
# (RFC 9113, 6.8), and the RFC's graceful close says it twice, with 2^31-1 first. Here the answer to a POST follows such a GOAWAY.
# curl 7.88, Node.js 20 and Go 1.19 give the answer. httpx 0.28.1 (with h2 4.4.1) and OpenJDK 17's HttpClient raise an error about
# a request that was carried out. aioapns 4.0 (with h2, too) sends the notification again over another connection, as often as it may:
# the device gets each of them, and the caller learns that none was sent.
# Expected: with no GOAWAY, one of this stream, and two: what the caller learns, and how often the server had the request.
set -euo pipefail
for tool in java javac go node curl openssl; do
    command -v "$tool" >/dev/null || { echo "needs $tool (Debian 12: openjdk-17-jdk-headless golang-go nodejs curl openssl)" && exit 77; }
done
folder=$(mktemp -d)
trap '[ -z "${server-}" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q 'httpx[http2]==0.28.1' aioapns==4.0 h2==4.4.1 hpack==4.2.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost 2>/dev/null

# The last character of the path is how often GOAWAY is said before the answer. The file `came` has how often each path came.
cat >server.py <<'END'
import collections, json, os, socket, ssl, threading, time
import hpack
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("cert.pem", "key.pem")
context.set_alpn_protocols(["h2"])
came = collections.Counter()
def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
def goaway(last): return frame(7, 0, 0, last.to_bytes(4, "big") + bytes(4))
def exactly(link, size):
    data = b""
    while len(data) < size:
        part = link.recv(size - len(data))
        if not part: raise EOFError
        data += part
    return data
def answer(link, stream, asked):
    path = asked[":path"]
    came[path] += 1
    open("came.new", "w").write(json.dumps(came))
    os.rename("came.new", "came")
    if path.endswith("2"):
        link.sendall(goaway(2**31 - 1))
        time.sleep(0.1)
    if path[-1] in "12":
        link.sendall(goaway(stream))
        time.sleep(0.1)
    link.sendall(frame(1, 5, stream, hpack.Encoder().encode([(":status", "200"), ("apns-id", asked.get("apns-id", "1"))])))
def serve(raw):
    try:
        link = context.wrap_socket(raw, server_side=True)
        exactly(link, 24)
        link.sendall(frame(4, 0, 0))
        decoder, requests = hpack.Decoder(), {}
        while True:
            head = exactly(link, 9)
            kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
            payload = exactly(link, int.from_bytes(head[:3], "big"))
            if kind in (4, 6) and not flags & 1: link.sendall(frame(kind, 1, 0, payload if kind == 6 else b""))
            if kind == 1: requests[stream] = dict(decoder.decode(payload[5:] if flags & 32 else payload))
            if kind in (0, 1) and flags & 1: answer(link, stream, requests[stream])
    except (EOFError, OSError): pass
server = socket.create_server(("127.0.0.1", 0))
open("port.new", "w").write(str(server.getsockname()[1]))
os.rename("port.new", "port")
while True: threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
END
cat >with_httpx.py <<'END'
import ssl, sys
import httpx
with httpx.Client(http2=True, verify=ssl.create_default_context(cafile="cert.pem"), timeout=60) as client:
    try: print(client.post(sys.argv[1], content=b"{}").status_code)
    except httpx.HTTPError as error: print(type(error).__name__)
END
cat >with_aioapns.py <<'END'
import asyncio, logging, ssl, sys, urllib.parse
import aioapns, aioapns.connection
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import ec
logging.disable()
to = urllib.parse.urlsplit(sys.argv[1])
server = aioapns.connection.APNsProductionClientProtocol
server.APNS_SERVER, server.APNS_PORT = to.hostname, to.port
key = ec.generate_private_key(ec.SECP256R1()).private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
async def main():
    trust = ssl.create_default_context(cafile="cert.pem")
    trust.set_alpn_protocols(["h2"])
    client = aioapns.APNs(key=key.decode(), key_id="K", team_id="T", topic="t", max_connection_attempts=3, ssl_context=trust)
    try: print((await client.send_notification(aioapns.NotificationRequest(to.path[1:], {"aps": {}}))).status)
    except aioapns.exceptions.MaxAttemptsExceeded as error: print(type(error).__name__)
asyncio.run(main())
END
cat >with.mjs <<'END'
import fs from 'node:fs';
import http2 from 'node:http2';
const to = new URL(process.argv[2]);
const session = http2.connect(to.origin, { ca: fs.readFileSync('cert.pem') });
const request = session.request({ ':path': to.pathname, ':method': 'POST' });
request.on('response', (headers) => console.log(headers[':status']));
request.on('error', (error) => console.log(error.code));
request.on('close', () => session.close());
request.resume().end('{}');
END
cat >with.go <<'END'
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	certificate, _ := os.ReadFile("cert.pem")
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(certificate)
	client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}}}
	answer, err := client.Post(os.Args[1], "application/json", strings.NewReader("{}"))
	if err != nil {
		fmt.Println("error")
	} else {
		fmt.Println(answer.StatusCode)
	}
}
END
cat >With.java <<'END'
import java.io.IOException;
import java.net.URI;
import java.net.http.*;
public class With {
    public static void main(String[] to) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(to[0])).POST(HttpRequest.BodyPublishers.ofString("{}")).build();
        try {
            System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
        } catch (IOException error) {
            System.out.println(error.getClass().getSimpleName());
        }
    }
}
END
go build -o with-go with.go
javac With.java
keytool -importcert -noprompt -alias it -file cert.pem -keystore trusted -storepass changeit 2>/dev/null
venv/bin/python server.py & server=$!
until [ -e port ]; do sleep 0.05; done
for client in curl node go java httpx aioapns; do
    case $client in
        curl) run=(curl -s --http2 --cacert cert.pem -d '{}' -o body -w '%{http_code}\n') ;;
        node) run=(node with.mjs) ;;
        go) run=(./with-go) ;;
        java) run=(java -Djavax.net.ssl.trustStore=trusted -Djavax.net.ssl.trustStorePassword=changeit With) ;;
        *) run=(venv/bin/python "with_$client.py") ;;
    esac
    echo "$client:"
    for often in 0 1 2; do
        path=$client$often
        echo "$("${run[@]}" "https://localhost:$(cat port)/$path" || true), $(python3 -c '
import json, sys
print(sum(count for path, count in json.load(open("came")).items() if path.endswith(sys.argv[1])))' "$path") times"
    done
done | paste - - - - | tee found
diff found - <<'END'
curl:	200, 1 times	200, 1 times	200, 1 times
node:	200, 1 times	200, 1 times	200, 1 times
go:	200, 1 times	200, 1 times	200, 1 times
java:	200, 1 times	IOException, 1 times	IOException, 1 times
httpx:	200, 1 times	RemoteProtocolError, 1 times	RemoteProtocolError, 1 times
aioapns:	200, 1 times	MaxAttemptsExceeded, 3 times	MaxAttemptsExceeded, 3 times
END
