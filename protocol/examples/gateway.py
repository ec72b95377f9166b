"""A gateway: the backend of an app, which speaks for the app's devices because they hold no connection.

    python3 gateway.py --app com.mygame --token … --file widgets.jsonl

Each line of the file is the body of a WIDGETS frame: a device, its push token and its widgets, as the app
has reported them. For each RELOAD it prints the WidgetKit push that a backend sends to the device over APNs.
A lost connection is restored: then one ATTACH for many devices takes the place of their WIDGETS.
With --answer it also answers at once, as the app does through its backend when its widgets have reloaded;
with --count it ends after that number of RELOADs.
"""

import argparse
import json
import sys
import time

from frames import (ACK, ATTACH, ATTACHED, DETACHED, REJECT, RELOAD, WIDGETS, Connection, SessionEnded,
                    answer)

DEVICES_PER_ATTACH = 500


class Refused(Exception):
    """The router has refused a frame."""


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
    gateway = Gateway(options, {device["device"]: device for device in devices})
    pause = 0.1
    while True:
        try:
            gateway.run()
            return 0
        except Refused as error:
            print(error, file=sys.stderr)
            return 1
        except SessionEnded as end:
            print(end, file=sys.stderr)
            if end.retry == "no" or not gateway.is_registered:
                return 2
        except OSError as error:
            print(error, file=sys.stderr)
            if not gateway.is_registered:
                return 2
        pause = 0.1 if gateway.is_established else min(5, pause * 2)
        time.sleep(pause)


class Gateway:
    def __init__(self, options, devices):
        self.options = options
        self.devices = devices
        self.is_registered = False  # all devices have been registered once
        self.is_established = False  # the last attempt to connect was successful
        self.count = 0

    def run(self):
        """One session, until enough RELOADs have come."""
        self.is_established = False
        self.seq = 0
        self.connection = Connection(self.options.host, self.options.port)
        self.connection.hello(role="gateway", app=self.options.app, token=self.options.token)
        self.is_established = True
        if self.is_registered:
            names = list(self.devices)
            for start in range(0, len(names), DEVICES_PER_ATTACH):
                self.send(ATTACH, {"devices": names[start : start + DEVICES_PER_ATTACH]})
        else:
            for device in self.devices.values():
                self.send(WIDGETS, device)
        last = self.seq
        self.connection.socket.settimeout(None)
        while self.options.count is None or self.count < self.options.count:
            kind, number, body = self.connection.receive()
            if kind == ACK and number == last and not self.is_registered:
                # All are stored: from now on pushes match their widgets.
                self.is_registered = True
                print(f"registered {len(self.devices)} devices", file=sys.stderr, flush=True)
            elif kind != ACK:
                self.take(kind, number, json.loads(body))

    def send(self, kind, body):
        self.seq += 1
        self.connection.send(kind, self.seq, json.dumps(body).encode())

    def take(self, kind, number, body):
        if kind == REJECT:
            raise Refused(f"frame {number}: {body['code']}: {body['message']}")
        if kind == ATTACHED:
            for name in body.get("unknown", []):
                self.send(WIDGETS, self.devices[name])
        elif kind == DETACHED:
            print(f"lost {body['device']}: {body['reason']}", file=sys.stderr, flush=True)
        elif kind == RELOAD:
            self.count += 1
            token = self.devices[body["device"]].get("pushToken")
            print(json.dumps(push_to(body, token, self.options.app)), flush=True)
            if self.options.answer:
                self.seq = answer(self.connection, self.seq, number, body)


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
