"""Publishes what happens in a game.

python3 publish.py HOST PORT TOKEN [--plain]
"""

from __future__ import annotations

import os
import sys

from reloadrouter import Event, Publisher


def report(event: Event) -> None:
    print(event.name, event.code or "", event.message, file=sys.stderr)


def main() -> None:
    host, port, token = sys.argv[1:4]
    publisher = Publisher(
        host,
        int(port),
        app="com.mygame",
        producer="shard-7",
        token=token,
        tls="--plain" not in sys.argv,
        outbox=os.environ.get("OUTBOX"),
        on_event=report,
    )
    with publisher.connect(timeout=10):
        for amount in range(10):
            publisher.push({"event": "damage", "character": "elf-42", "amount": amount})
        # A game loop does not wait: what finds no room is left out.
        if publisher.try_push({"event": "dragon", "region": "north"}, urgent=True) is None:
            print("no room", file=sys.stderr)
        publisher.flush(timeout=10)
        print(publisher.statistics())


main()
