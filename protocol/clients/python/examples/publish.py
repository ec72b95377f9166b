"""Publishes what happens in a game: to RELOAD_ADDRESS, with RELOAD_TOKEN; RELOAD_CA names another authority."""

from __future__ import annotations

import os
import sys

from reloadrouter import Event, Publisher


def report(event: Event) -> None:
    print(event.name, event.code or "", event.message, file=sys.stderr)


def main() -> None:
    publisher = Publisher(
        os.environ["RELOAD_ADDRESS"],  # HOST:PORT
        app="com.mygame",
        producer="shard-7",
        token=os.environ.get("RELOAD_TOKEN"),
        tls=os.environ.get("RELOAD_PLAINTEXT") != "1",
        ca_file=os.environ.get("RELOAD_CA"),
        outbox=os.environ.get("OUTBOX"),
        on_event=report,
    )
    with publisher:
        for amount in range(10):
            publisher.push({"event": "damage", "character": "elf-42", "amount": amount})
        # A game loop does not wait: what finds no room is left out.
        if publisher.try_push({"event": "dragon", "region": "north"}, urgent=True) is None:
            print("no room", file=sys.stderr)
        publisher.flush(timeout=10)
        print(publisher.statistics())


main()
