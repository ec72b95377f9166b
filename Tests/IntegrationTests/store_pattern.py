"""A small store with every type of record, an older copy of it, and its state at each position."""

import json
import pathlib
import re
import shutil

from store_case import *
from store_facts import ADMIN
from stored_records import StoredRecords

FLAGS = ("--checkpoint-after", 3_000)
DEVICES = 40


class Pattern:
    """A folder with `store`, and `older`, the same store at some time before."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.store, self.older = self.folder / "store", self.folder / "older"
        self.files, self.older_files = sizes(self.store), sizes(self.older)
        self._read_journal()
        self._read_end()

    def _read_end(self):
        described = self.folder / "pattern.json"
        found = json.loads(described.read_text()) if described.exists() else {}
        # Whether its router was drained, and has noted where the journal ends.
        self.is_ended = found.get("is_ended", False)
        # Up to where it has noted that the journal is on the disk.
        self.noted = StoredRecords(self.store).noted

    def _read_journal(self):
        """What a router must know at each position from the checkpoint on."""
        lines = [json.loads(line) for line in dump(self.store).splitlines()]
        current = [line for line in lines if "table" in line and "isLeftOver" not in line]
        self.sealed = next((line["position"] for line in current if line["table"] == "manifest"), 0)
        devices, producers, numbers = set(), {}, {}
        for line in current:
            if line["table"] == "registration" and not line.get("isGone"):
                devices.add(line["device"])
            for producer in line.get("producers", []) if line["table"] == "producers" else []:
                numbers[producer["number"]] = producer["producer"]
                producers[producer["producer"]] = producer["lastSeq"]
        self.states = {self.sealed: (frozenset(devices), dict(producers))}
        for line in lines:
            if line.get("journal", 0) <= self.sealed:
                continue
            for entry in line["entries"]:
                if entry["entry"] == "batch":
                    producers[numbers[entry["producer"]]] = entry["lastSeq"]
                elif entry["entry"] == "frame" and entry["type"] == "WIDGETS":
                    change = devices.add if entry["body"]["widgets"] else devices.discard
                    change(entry["body"]["device"])
            self.states[line["journal"]] = (frozenset(devices), dict(producers))
        self.last = max(self.states)

    def is_journal(self, path):
        """Whether a file is one of the journal's."""
        name = path.rpartition("/")[2]
        return bool(re.search(r"\d", name)) and (name.endswith(".log") or "journal" in path)

    @property
    def last_journal(self):
        """The newest file of the journal that has records."""
        return max((path for path, size in self.files.items()
                    if self.is_journal(path) and size > 0), default=None)

    def kind(self, path):
        """What a file is for, as far as its name says."""
        name = path.rpartition("/")[2]
        if self.is_journal(path):
            return "journal"
        return re.sub(r"[-.]?\d+", "", name) or name


def sizes(folder):
    return {str(path.relative_to(folder)): path.stat().st_size
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != "LOG" and not path.name.startswith("LOG.old")}


def dump(store):
    ended = store_tool("dump", store)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


class PatternMaker(RouterCase):
    """Makes a pattern with the real router; it is a test case only to use the helpers of one."""

    flags = ("--store", "none")
    program = None

    def runTest(self):
        """Runs no test of its own."""

    def make(self, folder, is_ended):
        """Makes one: drained, or killed while a checkpoint is written if that can be hit."""
        for _ in range(1 if is_ended else 30):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            self._fill(folder, is_ended)
            (folder / "pattern.json").write_text(json.dumps({"is_ended": is_ended}))
            found = Pattern(folder)
            journals = [path for path, size in found.files.items()
                        if found.is_journal(path) and size > 0]
            if is_ended or len(journals) > 1 and len(found.states) > 8:
                break
        return found

    def _fill(self, folder, is_ended):
        router = self.start(*ADMIN, *FLAGS, program=self.program)
        gateway = self.gateway(router=router)
        for number in range(DEVICES):
            gateway.register(ELF if number % 2 else widget("w1", PARTY, member="orc"),
                             device=f"d-{number}")
        first, second = self.publisher("first", router=router), self.publisher("second", router=router)
        self._push_until_sealed(router, [first, second], 2)
        router.kill()
        shutil.copytree(router.store, folder / "older")
        router.restart()
        first, second = self.publisher("first", router=router), self.publisher("second", router=router)
        late = self.gateway(router=router)
        self._push_until_sealed(router, [first, second], 2)
        for number in range(8):
            first.pushed(HEALING)
            late.register(ELF, device=f"late-{number}")
            second.pushed({"event": "none"})
        if is_ended:
            for client in self.clients:
                client.close()
            self.assertEqual(router.stop(), 0)
        else:
            begun = router.log.count("a checkpoint begins")
            while router.log.count("a checkpoint begins") == begun:
                first.pushed(HEALING)
            router.kill()
        shutil.copytree(router.store, folder / "store")
        if not is_ended:
            router.restart()
            router.stop()

    def _push_until_sealed(self, router, publishers, count):
        for _ in range(count):
            sealed = router.log.count("the checkpoint is on the disk")
            while router.log.count("the checkpoint is on the disk") == sealed:
                for publisher in publishers:
                    publisher.pushed(HEALING)


def make_pattern(folder, is_ended, program=None):
    """Makes a pattern in a folder, which is deleted if it is there; `program` is another router."""
    maker = PatternMaker()
    maker.program = program
    maker.setUp()
    try:
        return maker.make(pathlib.Path(folder), is_ended)
    finally:
        maker.doCleanups()
