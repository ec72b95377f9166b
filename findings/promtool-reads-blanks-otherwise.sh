#!/usr/bin/env bash
# Debian's prometheus 2.42.0 has two parsers of the text format (0.0.4), of which each tool uses one. The format ignores blanks
# at the beginning and the end of a line. The server's parser cannot read a line that begins with a blank, and for it gives up
# all metrics of the target (`up` is 0); `promtool check metrics`, which is there to find such things, passes it. A line that
# ends with a blank is the other way round: promtool refuses the text, and the server takes it. Python's prometheus-client
# 0.26.0 reads all of them. So a text that was checked may be one that the server cannot read.
# Expected: the first line after HELP and TYPE, and whether the server, promtool and Python read it.
set -euo pipefail
folder=$(mktemp -d)
trap '[ -z "${pages-}" ] || kill "$pages" "${server-$pages}" 2>/dev/null; wait; rm -rf "$folder"' EXIT
cd "$folder"
{ apt-get download -q prometheus=2.42.0+ds-5+deb12u1 && dpkg -x prometheus_*.deb .; } >/dev/null 2>&1 || { echo "needs Debian 12" && exit 77; }
python3 -m venv venv
venv/bin/pip install -q prometheus-client==0.26.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >texts.py <<'END'
LINES = ["a 1", " a 1", "a 1 ", "a 1\t", "a 1 5 ", "a\t \t1", 'a { x = "1" , } 1', " # said", "# said ", " "]
TEXTS = ["# HELP a One.\n# TYPE a gauge\n" + line + "\n" + ("" if "1" in line else "a 1\n") for line in LINES]
END
cat >pages.py <<'END'
import http.server, os
from texts import TEXTS
class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        text = TEXTS[int(self.path[1:])].encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *arguments): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
with open("prometheus.yml", "w") as file:
    print("global: { scrape_interval: 1s }\nscrape_configs:", file=file)
    for number in range(len(TEXTS)):
        print(f"- job_name: 'text{number}'\n  metrics_path: /{number}\n  static_configs: [targets: ['127.0.0.1:{server.server_port}']]", file=file)
open("ready", "w").close()
server.serve_forever()
END
cat >read.py <<'END'
import json, subprocess, sys, time, urllib.request
from prometheus_client.parser import text_string_to_metric_families
from texts import LINES, TEXTS
def targets():
    try: return json.load(urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/api/v1/targets"))["data"]["activeTargets"]
    except OSError: return []
while not (found := targets()) or any(target["health"] == "unknown" for target in found): time.sleep(0.1)
health = {target["labels"]["job"]: target["health"] == "up" for target in found}
def python(text):
    try: return [sample.value for family in text_string_to_metric_families(text) for sample in family.samples] == [1]
    except ValueError: return False
def tool(text):
    return subprocess.run(["usr/bin/promtool", "check", "metrics"], input=text.encode(), capture_output=True).returncode == 0
for number, (line, text) in enumerate(zip(LINES, TEXTS)):
    print(json.dumps(line), *(f"{name} {'yes' if read else 'no'}" for name, read in
          (("server", health[f"text{number}"]), ("promtool", tool(text)), ("Python", python(text)))))
END
python3 pages.py & pages=$!
until [ -e ready ]; do sleep 0.05; done
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
usr/bin/prometheus --config.file prometheus.yml --storage.tsdb.path store --web.listen-address "127.0.0.1:$port" 2>log & server=$!
venv/bin/python read.py "$port" | tee found
diff found - <<'END'
"a 1" server yes promtool yes Python yes
" a 1" server no promtool yes Python yes
"a 1 " server yes promtool no Python yes
"a 1\t" server yes promtool no Python yes
"a 1 5 " server yes promtool no Python yes
"a\t \t1" server yes promtool yes Python yes
"a { x = \"1\" , } 1" server yes promtool yes Python yes
" # said" server yes promtool yes Python yes
"# said " server yes promtool yes Python yes
" " server yes promtool yes Python yes
END
