"""Measures pushes a second: HOST PORT APP TOKEN PRODUCER COUNT."""

from __future__ import annotations

import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "src"))

from reloadrouter import Publisher

host, port, app, token, producer, count = sys.argv[1:]
with Publisher(host, int(port), app=app, token=token, producer=producer, tls=False) as publisher:
    started, used = time.monotonic(), time.process_time()
    for n in range(int(count)):
        publisher.push({"event": "damage", "character": "elf-42", "amount": n})
    publisher.flush()
    seconds, used = time.monotonic() - started, time.process_time() - used
print(json.dumps({"pushes": int(count), "seconds": round(seconds, 4), "cpuSeconds": round(used, 4)}))
