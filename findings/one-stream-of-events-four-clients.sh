#!/usr/bin/env bash
# Four clients for Python of server-sent events (HTML, 9.2.6), and streams as the standard's grammar allows them. None of them takes
# the one byte order mark that may come first: each loses the first event. Lines may end with CR: aiohttp-sse-client2 0.3.0 then
# finds no event. An `id` without data only sets the last event id: httpx-sse 0.4.3 makes an event of it, whose data is empty and
# no JSON. That id holds for later events: sseclient-py 1.9.0 gives it for its own event only. An id with NUL is to be ignored, and
# only httpx-sse does. An event that the end cuts off is to be dropped: sseclient-py hands it over, perhaps half of its data. And an
# event without a type is of type `message`, but None for aiohttp-sse-client2.
# Expected: the stream, and of each client the type, data and id of each event; a second request is answered with 204, the end.
set -euo pipefail
folder=$(mktemp -d)
trap '[ -z "${server-}" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q httpx-sse==0.4.3 httpx==0.28.1 sseclient-py==1.9.0 requests==2.34.2 requests-sse==0.5.3 aiohttp-sse-client2==0.3.0 \
    aiohttp==3.14.5 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >streams.py <<'END'
STREAMS = {
    "byte order mark": "\ufeffdata: 1\n\ndata: 2\n\n",
    "lines end with CR": "data: 1\r\rdata: 2\r\r",
    "id without data": "id: 7\n\ndata: 1\n\n",
    "id is kept": "id: 7\ndata: 1\n\ndata: 2\n\n",
    "id with NUL": "id: 7\ndata: 1\n\nid: 8\0\ndata: 2\n\n",
    "cut off": "data: 1\n\ndata: 2\n",
}
END
cat >server.py <<'END'
import http.server, os
from streams import STREAMS
texts, came = list(STREAMS.values()), set()
class Streams(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        again = self.path in came
        came.add(self.path)
        self.send_response(204 if again else 200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if not again: self.wfile.write(texts[int(self.path.split("/")[1])].encode())
    def log_message(self, *arguments): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Streams)
open("port.new", "w").write(str(server.server_port))
os.rename("port.new", "port")
server.serve_forever()
END
cat >clients.py <<'END'
import asyncio, datetime, importlib.metadata, logging
import aiohttp_sse_client2.client, httpx, httpx_sse, requests, requests_sse, sseclient
from streams import STREAMS
logging.disable()
def with_httpx_sse(url):
    with httpx.Client() as client, httpx_sse.connect_sse(client, "GET", url) as source:
        for event in source.iter_sse(): yield event.event, event.data, event.id
def with_sseclient_py(url):
    for event in sseclient.SSEClient(requests.get(url, stream=True)).events(): yield event.event, event.data, event.id
def with_requests_sse(url):
    with requests_sse.EventSource(url, max_connect_retry=0, reconnection_time=datetime.timedelta(0)) as source:
        for event in source: yield event.type, event.data, event.last_event_id
def with_aiohttp_sse_client2(url):
    events = []
    async def main():
        async with aiohttp_sse_client2.client.EventSource(url, max_connect_retry=0, reconnection_time=datetime.timedelta(0)) as source:
            async for event in source: events.append((event.type, event.data, event.last_event_id))
    try: asyncio.run(main())
    finally: yield from events
for number, name in enumerate(STREAMS):
    print(name)
    for package, read in (("httpx-sse", with_httpx_sse), ("requests-sse", with_requests_sse), ("sseclient-py", with_sseclient_py),
                          ("aiohttp-sse-client2", with_aiohttp_sse_client2)):
        events, shown = read(f"http://127.0.0.1:{open('port').read()}/{number}/{package}"), []
        try:
            for event in events:
                shown.append(event)
                if len(shown) == 3: break
        except Exception: pass
        print("   ", package + ":", *shown)
END
venv/bin/python server.py & server=$!
until [ -e port ]; do sleep 0.05; done
venv/bin/python clients.py | tee found
diff found - <<'END'
byte order mark
    httpx-sse: ('message', '2', '')
    requests-sse: ('message', '2', '')
    sseclient-py: ('message', '2', None)
    aiohttp-sse-client2: (None, '2', '')
lines end with CR
    httpx-sse: ('message', '1', '') ('message', '2', '')
    requests-sse: ('message', '1', '') ('message', '2', '')
    sseclient-py: ('message', '1', None) ('message', '2', None)
    aiohttp-sse-client2:
id without data
    httpx-sse: ('message', '', '7') ('message', '1', '7')
    requests-sse: ('message', '1', '7')
    sseclient-py: ('message', '1', None)
    aiohttp-sse-client2: (None, '1', '7')
id is kept
    httpx-sse: ('message', '1', '7') ('message', '2', '7')
    requests-sse: ('message', '1', '7') ('message', '2', '7')
    sseclient-py: ('message', '1', '7') ('message', '2', None)
    aiohttp-sse-client2: (None, '1', '7') (None, '2', '7')
id with NUL
    httpx-sse: ('message', '1', '7') ('message', '2', '7')
    requests-sse: ('message', '1', '7') ('message', '2', '8\x00')
    sseclient-py: ('message', '1', '7') ('message', '2', '8\x00')
    aiohttp-sse-client2: (None, '1', '7') (None, '2', '8\x00')
cut off
    httpx-sse: ('message', '1', '')
    requests-sse: ('message', '1', '')
    sseclient-py: ('message', '1', None) ('message', '2', None)
    aiohttp-sse-client2: (None, '1', '')
END
