#!/usr/bin/env bash
# A POST whose answer is lost is sent again without a word by some standard libraries, and one call of the caller is two
# requests: OpenJDK 17's HttpURLConnection (sun.net.http.retryPost), libcurl 7.88 under PHP 8.2, and Go 1.19's net/http, the
# last only if it has the header Idempotency-Key, which makes a POST idempotent there. Node.js 20 and Python 3 say that the
# connection was lost. The connection must have been used before: its first request was answered. So a sender must number
# or name each request, and a header that is meant for the server changes what the client does.
# Expected: how often the second POST came, and what the caller learned.
set -euo pipefail
for tool in java javac go node php python3; do
    command -v "$tool" >/dev/null || { echo "needs $tool (Debian 12: openjdk-17-jdk-headless golang-go nodejs php-curl)" && exit 77; }
done
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder"

# Answers each request, but for a second one of a connection, which it reads whole and then closes. Each caller has a path.
cat >server.py <<'END'
import collections, socket, threading
came = collections.Counter()
def serve(connection):
    data, number = b"", 0
    while True:
        while b"\r\n\r\n" not in data:
            part = connection.recv(65536)
            if not part: return connection.close()
            data += part
        head, data = data.split(b"\r\n\r\n", 1)
        length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
        while len(data) < length: data += connection.recv(65536)
        body, data, number = data[:length], data[length:], number + 1
        path = head.split(b" ")[1].decode()
        if path == "/count":
            said = "\n".join(f"{name} {came[name]}" for name in sorted(came)).encode()
        else:
            said = b"ok"
            if body == b"second": came[path] += 1
        if number == 2 and path != "/count": return connection.close()
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(said) + said)
listener = socket.create_server(("127.0.0.1", 0))
open("port.new", "w").write(str(listener.getsockname()[1]))
__import__("os").rename("port.new", "port")
while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
END
python3 server.py & server=$!
until [ -e port ]; do sleep 0.05; done
port=$(cat port)

cat >Post.java <<'END'
import java.net.*;
public class Post {
    static String post(String url, String body) throws Exception {
        HttpURLConnection call = (HttpURLConnection) new URL(url).openConnection();
        call.setRequestMethod("POST");
        call.setDoOutput(true);
        call.getOutputStream().write(body.getBytes());
        return new String(call.getInputStream().readAllBytes());
    }
    public static void main(String[] arguments) throws Exception {
        post(arguments[0] + "/java", "first");
        try { System.out.println("java " + post(arguments[0] + "/java", "second")); } catch (Exception e) { System.out.println("java lost"); }
    }
}
END
cat >post.go <<'END'
package main

import ("fmt"; "io"; "net/http"; "os"; "strings")

func post(url, body, key string) string {
	request, _ := http.NewRequest("POST", url, strings.NewReader(body))
	if key != "" { request.Header.Set("Idempotency-Key", key) }
	answer, err := http.DefaultClient.Do(request)
	if err != nil { return "lost" }
	text, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	return string(text)
}

func main() {
	post(os.Args[1]+"/go", "first", "")
	fmt.Println("go", post(os.Args[1]+"/go", "second", ""))
	http.DefaultClient.CloseIdleConnections()
	post(os.Args[1]+"/go-with-key", "first", "a")
	fmt.Println("go-with-key", post(os.Args[1]+"/go-with-key", "second", "b"))
}
END
cat >post.mjs <<'END'
import http from 'node:http';
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const post = (body) => new Promise((resolve) => {
  const call = http.request(`${process.argv[2]}/node`, { method: 'POST', agent, headers: { 'Idempotency-Key': body } }, (answer) => {
    answer.resume().on('end', () => setImmediate(resolve, 'ok'));
  });
  call.on('error', () => resolve('lost')).end(body);
});
await post('first');
console.log('node', await post('second'));
agent.destroy();
END
cat >post.php <<'END'
<?php
$curl = curl_init("$argv[1]/php");
function post($curl, $body) {
    curl_setopt_array($curl, [CURLOPT_POSTFIELDS => $body, CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => ["Idempotency-Key: $body"]]);
    return curl_exec($curl) === false ? 'lost' : 'ok';
}
post($curl, 'first');
echo 'php ', post($curl, 'second'), "\n";
END
cat >post.py <<'END'
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
def post(body):
    connection.request("POST", "/python", body, {"Idempotency-Key": body})
    try: return connection.getresponse().read().decode()
    except OSError: return "lost"
post("first")
print("python", post("second"))
END
javac Post.java
{
    java Post "http://127.0.0.1:$port"
    go run post.go "http://127.0.0.1:$port"
    node post.mjs "http://127.0.0.1:$port"
    php post.php "http://127.0.0.1:$port"
    python3 post.py "$port"
    echo "the second POST came:"
    python3 -c "import sys, urllib.request; print(urllib.request.urlopen('http://127.0.0.1:$port/count').read().decode())"
} | tee found
diff found - <<'END'
java ok
go lost
go-with-key ok
node lost
php ok
python lost
the second POST came:
/go 1
/go-with-key 2
/java 2
/node 1
/php 2
/python 1
END
