"""A gateway: the backend of an app, which speaks for the app's devices because they hold no connection.

    python3 gateway.py --app com.mygame --token … --file widgets.jsonl

Each line of the file is the body of a WIDGETS frame: a device, its push token and its widgets, as the app
has reported them. For each RELOAD it prints the WidgetKit push that a backend sends to the device over APNs.
With --answer it also answers at once, as the app does through its backend when its widgets have reloaded;
with --count it ends after that number of RELOADs.
"""

import argparse
import json
import sys

from frames import ACK, DETACHED, REJECT, RELOAD, WIDGETS, Connection, SessionEnded, answer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="localhost")
    parser.add_argument("--port", type=int, default=7410)
    parser.add_argument("--app", required=True)
    parser.add_argument("--token")
    parser.add_argument("--file", required=True)
    parser.add_argument("--answer", action="store_true")
    parser.add_argument("--count", type=int)
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        devices = [json.loads(line) for line in file]
    try:
        return run(options, devices)
    except SessionEnded as end:
        print(end, file=sys.stderr)
        return 2


def run(options, devices):
    connection = Connection(options.host, options.port)
    connection.hello(role="gateway", app=options.app, token=options.token)
    for seq, device in enumerate(devices, start=1):
        connection.send(WIDGETS, seq, json.dumps(device).encode())
    connection.socket.settimeout(None)
    tokens = {device["device"]: device.get("pushToken") for device in devices}
    seq = len(devices)
    count = 0
    while options.count is None or count < options.count:
        kind, number, body = connection.receive()
        if kind == REJECT:
            error = json.loads(body)
            print(f"WIDGETS {number}: {error['code']}: {error['message']}", file=sys.stderr)
            return 1
        if kind == DETACHED:
            lost = json.loads(body)
            print(f"lost {lost['device']}: {lost['reason']}", file=sys.stderr, flush=True)
        if kind == ACK and number == len(devices):
            # All are stored: from now on pushes match their widgets.
            print(f"registered {len(devices)} devices", file=sys.stderr, flush=True)
        if kind != RELOAD:
            continue
        count += 1
        reload = json.loads(body)
        print(json.dumps(push_to(reload, tokens.get(reload["device"]), options.app)), flush=True)
        if options.answer:
            seq = answer(connection, seq, number, reload)
    return 0


def push_to(reload, token, app):
    """The request to APNs that makes WidgetKit reload the app's widgets on the device of a RELOAD."""
    return {
        "path": f"/3/device/{token}",
        "headers": {
            "apns-push-type": "widgets",
            "apns-topic": f"{app}.push-type.widgets",
            "apns-priority": "5",
        },
        "body": {"aps": {"content-changed": True}},
        # Not for APNs: the device, and the kinds that the push was about.
        "device": reload["device"],
        "kinds": reload["kinds"],
    }


sys.exit(main())
