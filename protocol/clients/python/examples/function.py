"""A function that runs when an order is paid: it pushes the event, over HTTP and without a library.

The event is a CloudEvent with `id`, `source`, `type` and `data`, as platforms pass them. RELOAD_ADDRESS is HOST:PORT of
the router's listener for publishers.
"""

import json
import os
import ssl
import sys
import urllib.request
from typing import Any
from urllib.parse import quote


def handle(event: dict[str, Any]) -> Any:
    """Pushes `data`. After an error the platform calls again; source and id say that it is the same push."""
    headers = {
        "Authorization": f"Bearer {os.environ['RELOAD_TOKEN']}",
        "Content-Type": "application/json",
        "ce-specversion": "1.0",
        **{f"ce-{name}": quote(event[name], safe="/:") for name in ("id", "source", "type")},
    }
    scheme = "http" if os.environ.get("RELOAD_PLAINTEXT") == "1" else "https"
    url = f"{scheme}://{os.environ['RELOAD_ADDRESS']}/v1/apps/com.mygame/pushes"
    context = ssl.create_default_context(cafile=os.environ.get("RELOAD_CA"))
    request = urllib.request.Request(url, json.dumps(event["data"]).encode(), headers)
    with urllib.request.urlopen(request, timeout=10, context=context) as answer:
        return json.load(answer)


if __name__ == "__main__":
    print(json.dumps(handle(json.load(sys.stdin))))
