"""The story of the healing potion, played with a real router, real devices and one real push.

Everything printed has happened: the devices are `reload-router device` processes, the push is
`reload-router push`, and the reasons follow from the widgets that the devices registered. The
story fails (exit status 1) if any widget other than the right one reloads.
"""

import argparse
import hashlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time

APP = "com.mygame"
DETAIL = "com.mygame.character-detail"


def entry(token):
    """The credential of a token, of which the router knows the hash alone."""
    return {"id": token, "sha256": hashlib.sha256(token.encode()).hexdigest()}


APPS = {
    "apps": [
        {
            "app": APP,
            "publishers": [entry("demo-publisher")],
            "devices": [entry("demo-device")],
            "kinds": [
                {"kind": DETAIL, "match": {"character": ["${configuration.character}"]}},
                {"kind": "com.mygame.leaderboard"},
            ],
        }
    ]
}
PAYLOAD = {"event": "healing-potion", "character": "elf-42", "amount": 25}
DEVICES = {
    "anna-phone": [
        {"id": "w1", "kind": DETAIL, "configuration": {"character": "elf-42"}},
        {"id": "w2", "kind": "com.mygame.leaderboard", "configuration": {}},
    ],
    "ben-tablet": [{"id": "w1", "kind": DETAIL, "configuration": {"character": "orc-7"}}],
    "cleo-watch": [{"id": "w1", "kind": DETAIL, "configuration": {"character": "mage-3"}}],
}


class Process:
    """A child process whose lines of output can be waited for."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def line(self, seconds=60):
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            sys.exit(f"a process of the demo has ended: {self.process.stderr.read()}")
        return line


def reason(widget):
    """Why the push does not concern this widget, from its kind's rule and its own values."""
    kind = next(k for k in APPS["apps"][0]["kinds"] if k["kind"] == widget["kind"])
    if "match" not in kind and not widget["configuration"]:
        return "its kind has no rule and it has no parameters: only a push that names it reaches it"
    for field, value in widget["configuration"].items():
        if PAYLOAD.get(field) != value:
            return f"it shows {field} {value}, and the push is about {PAYLOAD.get(field)}"
    return None


def tell(text="", pause=0.0):
    print(text, flush=True)
    if not options.quick:
        time.sleep(pause)


def main():
    folder = tempfile.mkdtemp(prefix="reload-router-demo-")
    apps = os.path.join(folder, "apps.json")
    with open(apps, "w", encoding="utf-8") as file:
        json.dump(APPS, file)
    serve = [options.router, "serve", "--listen", "127.0.0.1:0", "--admin", "none",
             "--apps", apps, "--store", os.path.join(folder, "store")]
    router = Process(serve + ["--log-level", "error"])
    address = router.line().removeprefix("listening on ")
    tell(f"1. A router is up on {address}.", 1)

    devices = {name: start_device(folder, address, name) for name in DEVICES}
    tell("\n2. Three devices have registered what their widgets show:", 1)
    for name, widgets in DEVICES.items():
        for widget in widgets:
            shows = json.dumps(widget["configuration"])
            tell(f"   {name:<11} {widget['id']}  {widget['kind']:<28} {shows}", 0.5)

    tell(f"\n3. A game server pushes: {json.dumps(PAYLOAD)}", 1)
    push = [options.router, "push", "--to", address, "--app", APP, "--token", "demo-publisher"]
    sent = time.monotonic()
    result = subprocess.run(push + [json.dumps(PAYLOAD)], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"the push failed: {result.stderr}")

    reloads = {}
    line = devices["anna-phone"].line()
    elapsed = (time.monotonic() - sent) * 1000
    reloads["anna-phone"] = json.loads(line) if line else None
    # A drain sends everything that the push could have caused, so the other devices' silence is
    # checked by ending the router.
    router.process.terminate()
    router.process.wait(60)
    for name, device in devices.items():
        device.process.terminate()
        while (line := device.lines.get(timeout=60)) is not None:
            reloads.setdefault(name, json.loads(line))

    return report(reloads, elapsed)


def start_device(folder, address, name):
    path = os.path.join(folder, name + ".jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"device": name, "widgets": DEVICES[name]}) + "\n")
    command = [options.router, "device", "--to", address, "--app", APP, "--token", "demo-device"]
    device = Process(command + ["--device", name, "--widgets", path, "--json", "--announce"])
    ready = device.line()
    if not ready or "registered" not in ready:
        sys.exit(f"{name} could not register: {ready}")
    return device


def report(reloads, elapsed):
    tell("\n4. What happened:", 1)
    right = True
    for name, widgets in DEVICES.items():
        named = (reloads.get(name) or {}).get("widgets", [])
        for widget in widgets:
            why = reason(widget)
            reloaded = widget["id"] in named
            right = right and reloaded == (why is None)
            mark = "RELOADS  " if reloaded else "unchanged"
            note = f"within {elapsed:.0f} ms" if reloaded else why
            tell(f"   {name:<11} {widget['id']}  {mark}  {note}", 0.5)
    tell("\nOne push, one reload: the widget that shows the healed character." if right else "\nWRONG")
    return 0 if right else 1


parser = argparse.ArgumentParser()
parser.add_argument("--router", required=True)
parser.add_argument("--quick", action="store_true", help="without the pauses for reading")
options = parser.parse_args()
sys.exit(main())
