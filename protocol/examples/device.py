"""A device: registers its widgets and prints each RELOAD as one line of JSON.

    python3 device.py --app com.mygame --token … --device d-1 --widgets '[{"id":"w1", …}]'
    python3 device.py --app com.mygame --token … --device d-1 --file widgets.json

With --answer it answers each RELOAD with a TIMELINE for every widget that it names, so that the router
does not send the RELOAD again; with --count it ends after that number of RELOADs.
"""

import argparse
import json
import sys

from frames import ACK, REJECT, RELOAD, WIDGETS, Connection, SessionEnded, answer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="localhost")
    parser.add_argument("--port", type=int, default=7410)
    parser.add_argument("--app", required=True)
    parser.add_argument("--token")
    parser.add_argument("--device", required=True)
    parser.add_argument("--widgets", help="a JSON list of widgets")
    parser.add_argument("--file", help="a file with that list")
    parser.add_argument("--answer", action="store_true")
    parser.add_argument("--count", type=int)
    options = parser.parse_args()
    text = options.widgets
    if options.file:
        with open(options.file, encoding="utf-8") as file:
            text = file.read()
    try:
        return run(options, json.loads(text or "[]"))
    except SessionEnded as end:
        print(end, file=sys.stderr)
        return 2


def run(options, widgets):
    connection = Connection(options.host, options.port)
    connection.hello(
        role="device", app=options.app, token=options.token, device=options.device
    )
    seq = 1
    body = {"device": options.device, "widgets": widgets}
    connection.send(WIDGETS, seq, json.dumps(body).encode())
    connection.socket.settimeout(None)
    count = 0
    while options.count is None or count < options.count:
        kind, number, body = connection.receive()
        if kind == REJECT:
            error = json.loads(body)
            print(f"{error['code']}: {error['message']}", file=sys.stderr)
            return 1
        if kind == ACK and number == 1:
            # The widgets are stored: from now on pushes match them.
            print(f"registered {len(widgets)} widgets", file=sys.stderr, flush=True)
        if kind != RELOAD:
            continue
        print(body.decode(), flush=True)
        count += 1
        reload = json.loads(body)
        for widget, values in reload.get("values", {}).items():
            # The inlined values are enough to render the widget without calling the origin.
            print(f"{widget} shows {json.dumps(values)}", file=sys.stderr, flush=True)
        if options.answer:
            seq = answer(connection, seq, number, reload)
    return 0


sys.exit(main())
