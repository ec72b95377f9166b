"""The story of the healing potion, played with a real router, real devices and one real push.

Everything printed has happened: the devices are `reload-router device` processes, the push is
`reload-router push`, and the reasons are what the router answers to `reload-router explain`. The
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


# The device and the widget that the push is about.
HEALED = ("anna-phone", "w1")


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


def reasons(admin, device):
    """For each widget of a device, why the push reloads it or not, in the router's words."""
    explain = [options.router, "explain", "--to", admin, "--app", APP, "--push", json.dumps(PAYLOAD)]
    done = subprocess.run(explain + ["--device", device, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"the router explains nothing: {done.stderr}")
    lines = map(json.loads, done.stdout.splitlines())
    return {line["widget"]: line["text"] for line in lines}


def tell(text="", pause=0.0):
    print(text, flush=True)
    if not options.quick:
        time.sleep(pause)


def main():
    folder = tempfile.mkdtemp(prefix="reload-router-demo-")
    apps = os.path.join(folder, "apps.json")
    with open(apps, "w", encoding="utf-8") as file:
        json.dump(APPS, file)
    # Its commands find the token of its operator there, and no context.
    os.environ["RELOAD_ROUTER_ADMIN_TOKEN_FILE"] = os.path.join(folder, "admin-token")
    os.environ["RELOAD_ROUTER_CONTEXT"] = ""
    serve = [options.router, "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
             "--apps", apps, "--store", os.path.join(folder, "store")]
    router = Process(serve + ["--log-level", "error"])
    admin = address = None
    while not address:
        name, _, value = router.line().partition(" on ")
        admin = value if name == "admin" else admin
        address = value if name == "listening" else None
    tell(f"1. A router is up on {address}.", 1)

    devices = {name: start_device(folder, address, name) for name in DEVICES}
    tell("\n2. Three devices have registered what their widgets show:", 1)
    for name, widgets in DEVICES.items():
        for widget in widgets:
            shows = json.dumps(widget["configuration"])
            tell(f"   {name:<11} {widget['id']}  {widget['kind']:<28} {shows}", 0.5)

    tell(f"\n3. A game server pushes: {json.dumps(PAYLOAD)}", 1)
    why = {name: reasons(admin, name) for name in DEVICES}
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

    return report(reloads, why, elapsed)


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


def report(reloads, why, elapsed):
    tell("\n4. What happened, and what the router says about it:", 1)
    right = True
    for name, widgets in DEVICES.items():
        named = (reloads.get(name) or {}).get("widgets", [])
        for widget in widgets:
            reloaded = widget["id"] in named
            right = right and reloaded == ((name, widget["id"]) == HEALED)
            note = f"RELOADS within {elapsed:.0f} ms; " if reloaded else ""
            tell(f"   {name:<11} {widget['id']}  {note}{why[name][widget['id']]}", 0.5)
    tell("\nOne push, one reload: the widget that shows the healed character." if right else "\nWRONG")
    return 0 if right else 1


parser = argparse.ArgumentParser()
parser.add_argument("--router", required=True)
parser.add_argument("--quick", action="store_true", help="without the pauses for reading")
options = parser.parse_args()
sys.exit(main())
