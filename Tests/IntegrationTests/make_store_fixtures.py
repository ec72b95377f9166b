#!/usr/bin/env python3
"""Makes the archives in stores/: stores as a router of format N leaves them.

    RELOAD_ROUTER=THE_BINARY_OF_THAT_FORMAT python3 make_store_fixtures.py

Each is an archive, and beside it a JSON file of what a router must know once it has opened it. They are
made once, by a router that writes the format; from then on test_store_upgrade.py shows that the router under
test continues from them, and that none changes what it writes without a new number. Those of format 3 have
checkpoints of version 7 and journal records of version 3, those of format 4 versions 8 and 4.

| format-N-… | how its router ended |
|---|---|
| ended | It was drained. |
| killed | SIGKILL; the journal is cut off within the last record, as the loss of power leaves it. |
| sealing | SIGKILL after a checkpoint had begun, and before it was on the disk. |

All have several checkpoints and a journal after the last one, devices with sessions of their own and of a
gateway, widgets of several kinds, timelines with all three policies, a widget whose budget has put a reload
off, RELOADs that no device has answered, a device that is gone, and three producers.
"""

import json
import os
import pathlib
import tarfile
import unittest

from store_case import *
from store_facts import ADMIN, facts

STORES = pathlib.Path(__file__).parent / "stores"
# So late that no date passes as long as these stores are used: in January 2090.
DATE = 3_786_912_000_000
POTION = {"event": "healing-potion", "character": "elf-42", "hp": 30}
FIXTURE_APPS = {
    "apps": [
        {
            "app": APP,
            **ACCESS,
            "origins": [{"origin": "game-api", "perSecond": 2, "undelayed": 0}],
            "kinds": [
                {"kind": DETAIL, "budget": "unlimited",
                 "match": {"character": ["${configuration.character}"]}},
                {"kind": BOARD, "observes": ["hp"], "inlines": ["hp"],
                 "budget": {"like": "widget", "spacing": 600},
                 "match": {"character": ["${configuration.character}"]}},
                {"kind": DRAGON, "budget": "unlimited", "origin": "game-api",
                 "match": {"event": ["dragon"], "region": ["${configuration.region}"]}},
            ],
        },
        {"app": "com.other", **OPEN, "kinds": [{"kind": "com.other.news"}]},
    ]
}
CHECKPOINT_AFTER = ("--checkpoint-after", 4_096)


class StoreMaker(StoreCase):
    """Fills a store with the real router; each test method makes one archive."""

    flags = ("--store", "none")

    def fill(self):
        """A router, after several checkpoints and with a journal after the last; sets its producers."""
        router = self.start(*ADMIN, *CHECKPOINT_AFTER, apps=FIXTURE_APPS)
        self.connect_all(router)
        for _ in range(3):
            sealed = router.log.count("the checkpoint is on the disk")
            wait_until(lambda: self.first.pushed(POTION | {"hp": self.first.seq})
                       and router.log.count("the checkpoint is on the disk") > sealed, "a checkpoint")
            self.second.pushed({"event": "dragon", "region": "north"}, flags=URGENT)
        self.device("d-late", widget("w1", character="elf-42"), router=router)
        for number in range(8):
            self.first.pushed(POTION | {"hp": 1_000 + number})
        return router

    def connect_all(self, router):
        self.register_devices(router)
        self.first = self.publisher("shard-7", router=router)
        self.second = self.publisher("shard-8", router=router)
        self.foreign = self.session("publisher", app="com.other", producer="news", router=router)
        self.foreign.pushed({"headline": 1})

    @property
    def lasts(self):
        """The last push of each producer that was acknowledged."""
        return {f"{APP}/shard-7": self.first.acked, f"{APP}/shard-8": self.second.acked,
                "com.other/news": self.foreign.acked}

    def register_devices(self, router):
        first = self.session("device", device="d-1", router=router)
        first.request(WIDGETS, {"device": "d-1", "pushToken": "7f3a", "widgets": [
            widget("never", character="elf-42"), widget("after", character="orc-7"),
            widget("atEnd", BOARD, character="elf-42", level=3, names=["Ä", "ö"]),
            widget("none", DRAGON, region="north")]})
        self.answer_with(first, "d-1", "never", [now_ms()], "never")
        self.answer_with(first, "d-1", "after", [now_ms()], {"after": DATE})
        self.answer_with(first, "d-1", "atEnd", [now_ms(), DATE + 86_400_000], "atEnd")
        first.request(STATE, {"device": "d-1", "foreground": False, "visible": ["never"]})
        gateway = self.gateway(router=router)
        for number in range(70):
            gateway.register(widget("w1", character=f"elf-{number}"),
                             widget("w2", DRAGON, region="north" if number % 2 else "south"),
                             device=f"g-{number}")
        gateway.register(device="g-13")
        first.close()

    def answer_with(self, device, name, widget, entries, policy):
        device.request(TIMELINE, {"device": name, "widget": widget, "entries": entries,
                                  "policy": policy})

    def save(self, name, store, lasts):
        """Packs the store, opens a copy of it, and saves what the router finds there.

        `lasts` is what the maker itself knows: the last push that was acknowledged, by producer.
        """
        found = self.open_copy(store)
        self.assertEqual(found["producers"], lasts)
        self.assertEqual(len(found["devices"]), 1 + 69 + 1)
        date = found["devices"][f"{APP}/d-1"]["widgets"]["after"]["date"]
        self.assertEqual(date // 600_000, DATE // 600_000)
        described = json.loads(self.tool("stat", store, "--json").stdout)
        found |= {name: described[name] for name in ("format", "identifier", "checkpoint")}
        name = f"format-{found['format']}-{name}"
        (STORES / f"{name}.json").write_text(json_lines(found))
        pack(store, STORES / f"{name}.tar.gz")

    def open_copy(self, store):
        """Starts a router on a copy of the store; what it knows then."""
        copy = store.with_name("copy")
        with tarfile.open(store.with_name("archive"), "w") as archive:
            archive.add(store, "copy")
        with tarfile.open(store.with_name("archive")) as archive:
            archive.extractall(copy.parent, filter="data")
        router = self.start(*ADMIN, "--store-must-exist", apps=FIXTURE_APPS, store=copy)
        return facts(router)


def json_lines(found):
    """Formats JSON with one device on each line."""
    rest = {name: value for name, value in found.items() if name != "devices"}
    devices = ",\n".join(f"  {json.dumps(name, ensure_ascii=False)}: "
                         + json.dumps(value, sort_keys=True, ensure_ascii=False)
                         for name, value in sorted(found["devices"].items()))
    return json.dumps(rest, sort_keys=True)[:-1] + f', "devices": {{\n{devices}\n}}}}\n'


def pack(store, archive):
    """Writes the files of a store into an archive, without those that no router ever reads."""
    def anonymous(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        # RocksDB's own log.
        base = os.path.basename(entry.name)
        return None if base == "LOG" or base.startswith("LOG.old.") else entry

    with tarfile.open(archive, "w:gz", compresslevel=9) as file:
        file.add(store, "store", filter=anonymous)


def unpack(name, folder):
    """The store of an archive, in a folder; returns its path."""
    with tarfile.open(STORES / f"{name}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return pathlib.Path(folder) / "store"


class Ended(StoreMaker):
    def runTest(self):
        router = self.fill()
        lasts = self.lasts
        for client in self.clients:
            client.close()
        self.assertEqual(router.stop(), 0)
        self.save("ended", router.store, lasts)


class Killed(StoreMaker):
    def runTest(self):
        router = self.fill()
        lasts, before = self.lasts, self.sizes(router)
        self.first.pushed(POTION)
        router.kill()
        # The last push is half written.
        (log, size), = ((path, size) for path, size in self.sizes(router).items()
                        if size != before.get(path))
        os.truncate(log, (before[log] + size) // 2)
        self.assertIn("its end is not whole", self.tool("check", router).stdout)
        self.save("killed", router.store, lasts)
        router.restart()

    def sizes(self, router):
        return {path: path.stat().st_size for path in router.store.rglob("*.log")}


class Sealing(StoreMaker):
    def runTest(self):
        for _ in range(20):
            router = self.fill()
            begun = self.begun(router)
            wait_until(lambda: self.first.pushed(POTION) and self.begun(router) > begun,
                       "a checkpoint begins")
            lasts = self.lasts
            router.kill()
            found = json.loads(self.tool("stat", router, "--json").stdout)["checkpoint"]
            if found < self.begun(router):
                self.save("sealing", router.store, lasts)
                return router.restart()
            router.restart()
        self.fail("no kill has come before the checkpoint was on the disk")

    def begun(self, router):
        """The number of checkpoints that have begun."""
        return router.log.count("a checkpoint begins")


if __name__ == "__main__":
    STORES.mkdir(exist_ok=True)
    unittest.main()
