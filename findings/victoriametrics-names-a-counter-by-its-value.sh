#!/usr/bin/env bash
# An exemplar of OpenMetrics follows a counter's value: `pushes_total 2.0 # {trace_id="1"} 2.0 …`. Debian's victoria-metrics 1.79.5,
# whose documentation offers /api/v1/import/prometheus for OpenMetrics, looks for labels first, and finds the exemplar's if the
# counter has none of its own: it stores a metric named `pushes_total 2.0 #`, with the trace's id for a label, and the exemplar's
# value for its own. The import is answered with success, each value of the counter makes another series, and none is pushes_total.
# What has labels of its own, such as buckets, is stored rightly. The texts are written by Python's prometheus-client 0.26.0, and
# Debian's prometheus 2.42.0 reads them rightly.
# Expected: the series that are stored of two texts, with their values; of Prometheus, the newer values.
set -euo pipefail
folder=$(mktemp -d)
trap '[ -z "${texts-}" ] || kill "$texts" ${servers-} 2>/dev/null; wait; rm -rf "$folder"' EXIT
cd "$folder"
{ apt-get download -q victoria-metrics=1.79.5+ds1-2+b5 prometheus=2.42.0+ds-5+deb12u1 && for package in *.deb; do dpkg -x "$package" .; done; } \
    >/dev/null 2>&1 || { echo "needs Debian 12" && exit 77; }
python3 -m venv venv
venv/bin/pip install -q prometheus-client==0.26.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >texts.py <<'END'
import http.server
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
registry = CollectorRegistry()
pushes, reloads = Counter("pushes", "Pushes.", registry=registry), Counter("reloads", "Reloads.", ["kind"], registry=registry)
wait = Histogram("wait_seconds", "Wait.", buckets=[1], registry=registry)
for trace, count in (("1", 2), ("2", 3)):
    pushes.inc(count, {"trace_id": trace})
    reloads.labels("score").inc(count, {"trace_id": trace})
    wait.observe(0.5, {"trace_id": trace})
    with open(trace, "wb") as file: file.write(generate_latest(registry))
class Text(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", CONTENT_TYPE_LATEST)
        self.end_headers()
        self.wfile.write(generate_latest(registry))
    def log_message(self, *arguments): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Text)
with open("prometheus.yml", "w") as file:
    print(f"scrape_configs: [{{job_name: j, scrape_interval: 1s, scrape_timeout: 1s, static_configs: [targets: ['127.0.0.1:{server.server_port}']]}}]",
          file=file)
open("ready", "w").close()
server.serve_forever()
END
cat >stored.py <<'END'
import json, sys, time, urllib.error, urllib.parse, urllib.request
victoria, prometheus = (f"http://127.0.0.1:{port}" for port in sys.argv[1:])
def ask(url, body=None):
    while True:
        try: return urllib.request.urlopen(url, body)
        except urllib.error.HTTPError as error:
            if error.code != 503: raise
        except OSError: pass
        time.sleep(0.1)
def series(metric):
    name = metric.pop("__name__")
    return repr(name), *(f"{key}={value}" for key, value in sorted(metric.items()) if key not in ("job", "instance"))
match = '{job=~"j?", __name__!~".*_created|scrape_.*|up"}'
for text in ("1", "2"): print("text", text, ask(victoria + "/api/v1/import/prometheus", open(text, "rb").read()).status)
while True:
    ask(victoria + "/internal/force_flush").read()
    lines = ask(victoria + "/api/v1/export?" + urllib.parse.urlencode({"match[]": match})).read().splitlines()
    if sum(len(json.loads(line)["values"]) for line in lines) == 12: break
    time.sleep(0.1)
for name, values in sorted((series(one["metric"]), one["values"]) for one in map(json.loads, lines)): print("VictoriaMetrics", *name, values)
while not (found := json.load(ask(prometheus + "/api/v1/query?" + urllib.parse.urlencode({"query": match.replace("?", "")})))["data"]["result"]): time.sleep(0.1)
for name, value in sorted((series(one["metric"]), one["value"][1]) for one in found): print("Prometheus", *name, value)
END
port() { python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'; }
venv/bin/python texts.py & texts=$!
until [ -e ready ]; do sleep 0.05; done
first=$(port)
usr/bin/victoria-metrics -storageDataPath first -httpListenAddr "127.0.0.1:$first" >log 2>&1 & servers=$!
second=$(port)
usr/bin/prometheus --config.file prometheus.yml --storage.tsdb.path second --web.listen-address "127.0.0.1:$second" 2>log2 & servers+=" $!"
venv/bin/python stored.py "$first" "$second" | tee found
diff found - <<'END'
text 1 204
text 2 204
VictoriaMetrics 'pushes_total 2.0 #' trace_id=1 [2]
VictoriaMetrics 'pushes_total 5.0 #' trace_id=2 [3]
VictoriaMetrics 'reloads_total' kind=score [2, 5]
VictoriaMetrics 'wait_seconds_bucket' le=+Inf [1, 2]
VictoriaMetrics 'wait_seconds_bucket' le=1.0 [1, 2]
VictoriaMetrics 'wait_seconds_count' [1, 2]
VictoriaMetrics 'wait_seconds_sum' [0.5, 1]
Prometheus 'pushes_total' 5
Prometheus 'reloads_total' kind=score 5
Prometheus 'wait_seconds_bucket' le=+Inf 2
Prometheus 'wait_seconds_bucket' le=1.0 2
Prometheus 'wait_seconds_count' 2
Prometheus 'wait_seconds_sum' 1
END
