#!/usr/bin/env bash
# Foundation of Swift 6.3.1 on Linux: 307 and 308 tell a client to send the same request elsewhere, body and all. URLSession
# follows, keeps POST and the Content-Type, and sends no body (Content-Length 0), with data(for:) and with upload(for:from:).
# The caller gets the second request's 200 and no error. So what is posted through a redirect, as of a load balancer to
# another host or from http to https, is lost in silence. curl sends the body again.
# Expected: what the caller gets: the status in the end, and the request as the server saw it then.
set -euo pipefail
for tool in swiftc curl; do command -v $tool >/dev/null || { echo "needs $tool (Swift 6.3; Debian 12: curl)" && exit 77; }; done
folder=$(mktemp -d)
trap '[ -z "${server-}" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
cat >server.py <<'END'
import http.server, os
class Redirects(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        said = f"{self.command}, {self.headers['Content-Type']}, body {body!r}".encode()
        moved = self.path != "/end"
        self.send_response(int(self.path[1:]) if moved else 200)
        if moved: self.send_header("Location", "/end")
        self.send_header("Content-Length", str(0 if moved else len(said)))
        self.end_headers()
        if not moved: self.wfile.write(said)
    def log_message(self, *arguments): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Redirects)
open("port.new", "w").write(str(server.server_port))
os.rename("port.new", "port")
server.serve_forever()
END
python3 server.py & server=$!
until [ -e port ]; do sleep 0.05; done
url=http://127.0.0.1:$(cat port)
cat >post.swift <<'END'
import Foundation
import FoundationNetworking

for status in [307, 308] {
    var request = URLRequest(url: URL(string: "\(CommandLine.arguments[1])/\(status)")!)
    request.httpMethod = "POST"
    request.httpBody = Data("{\"elf\":42}".utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    var (body, answer) = try await URLSession.shared.data(for: request)
    print("data \(status): \((answer as! HTTPURLResponse).statusCode), \(String(decoding: body, as: UTF8.self))")
    request.httpBody = nil
    (body, answer) = try await URLSession.shared.upload(for: request, from: Data("{\"elf\":42}".utf8))
    print("upload \(status): \((answer as! HTTPURLResponse).statusCode), \(String(decoding: body, as: UTF8.self))")
}
END
mkdir main && mv post.swift main/main.swift
swiftc -swift-version 5 -o post main/main.swift 2>log || { cat log && exit 1; }
{
    swiftc --version 2>/dev/null | grep -o 'Swift version [0-9.]*'
    ./post "$url"
    for status in 307 308; do
        printf 'curl %s: %s\n' $status "$(curl -sL --json '{"elf":42}' "$url/$status")"
    done
} | tee found
diff found - <<'END'
Swift version 6.3.1
data 307: 200, POST, application/json, body ''
upload 307: 200, POST, application/json, body ''
data 308: 200, POST, application/json, body ''
upload 308: 200, POST, application/json, body ''
curl 307: POST, application/json, body '{"elf":42}'
curl 308: POST, application/json, body '{"elf":42}'
END
