"""The backend of an app: registers a widget, and prints each reload that it would pass to the device.

It connects to RELOAD_ADDRESS with RELOAD_TOKEN; RELOAD_CA names another authority than those of the system.
"""

from __future__ import annotations

import os
import time

from reloadrouter import Gateway


def main() -> None:
    widget = {"id": "w1", "kind": "com.mygame.character-detail", "configuration": {"character": "elf-42"}}
    gateway = Gateway(
        os.environ["RELOAD_ADDRESS"],  # HOST:PORT
        app="com.mygame",
        token=os.environ.get("RELOAD_TOKEN"),
        tls=os.environ.get("RELOAD_PLAINTEXT") != "1",
        ca_file=os.environ.get("RELOAD_CA"),
    )
    with gateway:
        gateway.widgets("d-1", [widget]).result()
        print("registered", flush=True)
        for reload in gateway.reloads():
            print(reload.device, ", ".join(reload.widgets), flush=True)
            for name in reload.widgets:
                gateway.timeline(reload.device, name, [int(time.time() * 1000)], "never", reload=reload.seq)


main()
