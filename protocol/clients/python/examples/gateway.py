"""The backend of an app: registers a widget, and prints each reload that it would pass to the device.

python3 gateway.py HOST PORT APP TOKEN [--tls]
"""

from __future__ import annotations

import sys
import time

from reloadrouter import Gateway


def main() -> None:
    host, port, app, token = sys.argv[1:5]
    widget = {"id": "w1", "kind": "com.mygame.character-detail", "configuration": {"character": "elf-42"}}
    with Gateway(host, int(port), app=app, token=token, tls="--tls" in sys.argv) as gateway:
        gateway.widgets("d-1", [widget]).result()
        print("registered", flush=True)
        for reload in gateway.reloads():
            print(reload.device, ", ".join(reload.widgets), flush=True)
            for name in reload.widgets:
                gateway.timeline(reload.device, name, [int(time.time() * 1000)], "never", reload=reload.seq)


main()
