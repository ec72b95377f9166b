#!/usr/bin/env bash
# Before the answer to a request a server or a proxy may send others of 1xx, which a client must be able to read and may ignore
# (RFC 9110, 15.2): 103 Early Hints, or 102, which says that a long request is being worked at. Python 3.11's http.client knows 100
# only, and takes each other one for the answer: the POST "was answered" with 103 and no body, and what comes after it is not read.
# So do all that are built on it, urllib3 2.8.0 and requests 2.34.2 among them; and raise_for_status finds nothing wrong with 103.
# httpx 0.28.1, aiohttp 3.14.5, curl 7.88, PHP 8.2, Perl's HTTP::Tiny and Node.js 20 give the 200 that follows.
# Expected: status and body of each client's POST, which is answered with 103 and then 200.
set -euo pipefail
for tool in curl php perl node; do
    command -v "$tool" >/dev/null || { echo "needs $tool (Debian 12: curl php-cli perl nodejs)" && exit 77; }
done
folder=$(mktemp -d)
trap '[ -z "${server-}" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q urllib3==2.8.0 requests==2.34.2 httpx==0.28.1 aiohttp==3.14.5 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >server.py <<'END'
import os, socket
server = socket.create_server(("127.0.0.1", 0))
open("port.new", "w").write(str(server.getsockname()[1]))
os.rename("port.new", "port")
while True:
    link, _ = server.accept()
    data = b""
    while not data.endswith(b"\r\n\r\n{}"):
        part = link.recv(65536)
        if not part: break
        data += part
    link.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
    link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndone")
    link.close()
END
cat >posts.py <<'END'
import asyncio, http.client, sys
import aiohttp, httpx, requests, urllib3
url = sys.argv[1]
link = http.client.HTTPConnection(url.split("/")[2])
link.request("POST", "/", b"{}")
answer = link.getresponse()
print("http.client:", answer.status, answer.read().decode())
answer = urllib3.request("POST", url, body=b"{}")
print("urllib3:", answer.status, answer.data.decode())
answer = requests.post(url, data=b"{}")
answer.raise_for_status()
print("requests:", answer.status_code, answer.text)
answer = httpx.post(url, content=b"{}")
print("httpx:", answer.status_code, answer.text)
async def main():
    async with aiohttp.ClientSession() as session, session.post(url, data=b"{}") as answer:
        print("aiohttp:", answer.status, await answer.text())
asyncio.run(main())
END
cat >post.mjs <<'END'
const answer = await fetch(process.argv[2], { method: 'POST', body: '{}' });
console.log('node:', answer.status, await answer.text());
END
cat >post.php <<'END'
<?php
$body = file_get_contents($argv[1], false, stream_context_create(['http' => ['method' => 'POST', 'header' => 'Content-Type: text/plain', 'content' => '{}']]));
echo 'php: ', explode(' ', $http_response_header[0])[1], " $body\n";
END
venv/bin/python server.py & server=$!
until [ -e port ]; do sleep 0.05; done
url=http://127.0.0.1:$(cat port)/
{
    venv/bin/python posts.py "$url"
    echo "curl: $(curl -s -d '{}' -w '%{http_code}' -o body "$url") $(cat body)"
    php post.php "$url"
    perl -MHTTP::Tiny -e 'my $a = HTTP::Tiny->new->post($ARGV[0], { content => "{}" }); print "perl: $a->{status} $a->{content}\n"' "$url"
    node post.mjs "$url"
} | sed 's/ $//' | tee found
diff found - <<'END'
http.client: 103
urllib3: 103
requests: 103
httpx: 200 done
aiohttp: 200 done
curl: 200 done
php: 200 done
perl: 200 done
node: 200 done
END
