"""The capture subcommands, beside the reader in protocol/examples/capture.py."""

import json
import pathlib
import random
import sys
import tempfile
import unittest

from store_case import disk
from support import *

sys.path.insert(0, str(CHECKOUT / "protocol" / "examples"))
import capture  # noqa: E402 (it is found by the path above)

BEGIN = 1_795_000_000_000_000
HEADER = {"capture": 2, "recording": "00000000000000aa", "startedAt": BEGIN}
PUBLISHER = {"v": 1, "role": "publisher", "app": APP, "producer": "p"}
GATEWAY = {"v": 1, "role": "gateway", "app": APP}


def seconds(value):
    return int(value * 1_000_000)


class CaptureTools(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def tool(self, name, *arguments, code=0, **options):
        ended = lab("capture", name, *arguments, timeout=60, **options)
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended

    def made(self, name, records, header=HEADER):
        """A capture with these records."""
        path = self.folder / name
        lines = [json.dumps(line, separators=(",", ":")) for line in [header] + records]
        self.tool("from-jsonl", "--output", path, input="\n".join(lines) + "\n")
        return path

    def lines(self, *paths):
        text = self.tool("to-jsonl", *paths).stdout
        self.assertTrue(text.endswith("\n"))
        return [json.loads(line) for line in text.splitlines()]

    def burst(self, count=5_000, seed=1):
        """Sessions, and pushes of many shapes."""
        chance = random.Random(seed)
        records = [
            {"time": 0, "kind": "apps", "body": APPS},
            {"time": 10, "connection": 1, "kind": "hello", "body": PUBLISHER},
            {"time": 20, "connection": 2, "kind": "hello", "body": GATEWAY},
            {"time": 30, "connection": 2, "kind": "widgets", "seq": 1,
             "body": {"device": "d-1", "widgets": [widget("w1", character="elf-42")]}},
        ]
        time = 30
        for seq in range(1, count + 1):
            time += chance.randrange(0, 2_000)
            push = {"time": time, "connection": 1, "kind": "push", "seq": seq,
                    "body": {"event": "dragon", "text": "é\n\"" * chance.randrange(3),
                             "hp": chance.random(), "at": chance.getrandbits(64)}}
            if chance.random() < 0.2:
                push["urgent"] = True
            if chance.random() < 0.2:
                push["expires"] = chance.getrandbits(64)
            records.append(push)
        records.append({"time": time, "kind": "lost", "count": 3})
        records.append({"time": time, "connection": 1, "kind": "ended"})
        return records

    def test_lines_become_a_capture_that_a_stranger_reads(self):
        """The same lines again, byte for byte, and the same records for the reader in Python."""
        records = self.burst()
        path = self.made("a.rrc", records)
        self.assertEqual(path.read_bytes()[:8], b"RRCAPTUR")
        found = self.lines(path)
        self.assertEqual(found, [HEADER] + records)
        header, read = capture.read([path])
        self.assertEqual([header] + read, found)
        first = self.folder / "a.jsonl"
        self.tool("to-jsonl", path, "--output", first)
        self.tool("from-jsonl", first, "--output", self.folder / "b.rrc")
        self.assertEqual(self.tool("to-jsonl", self.folder / "b.rrc").stdout.encode(),
                         first.read_bytes())
        self.assertEqual((self.folder / "b.rrc").read_bytes(), path.read_bytes())

    def test_info_counts(self):
        records = self.burst(count=3_000)
        path = self.made("a.rrc", records)
        info = json.loads(self.tool("info", "--json", path).stdout)
        self.assertEqual(info["kinds"], {"apps": 1, "hello": 2, "push": 3_000, "widgets": 1,
                                         "lost": 1, "ended": 1})
        self.assertEqual(info["roles"], {"publisher": 1, "gateway": 1})
        self.assertEqual(info["apps"], {APP: 2, "com.other": 0})
        self.assertEqual((info["lost"], info["cutOff"], info["records"]), (3, 0, 3_006))
        self.assertEqual(info["lastTime"], records[-1]["time"])
        by_second = [r["time"] // 1_000_000 for r in records if r["kind"] == "push"]
        self.assertEqual(info["busiestCount"], max(map(by_second.count, set(by_second))))
        self.assertLess(info["storedBytes"], info["bytes"])
        text = self.tool("info", path).stdout
        for word in ("00000000000000aa", "2026-11-18T", "publisher 1", "3000", "lost"):
            self.assertIn(word, text)

    def test_an_end_that_is_cut_off_is_reported_and_damage_is_refused(self):
        path = self.made("a.rrc", self.burst(count=20_000))
        data = path.read_bytes()
        torn = self.folder / "torn.rrc"
        torn.write_bytes(data[:-5])
        info = json.loads(self.tool("info", "--json", torn).stdout)
        self.assertGreater(info["cutOff"], 0)
        self.assertGreater(info["records"], 0)
        self.assertIn("not a whole chunk", self.tool("to-jsonl", torn).stderr)
        broken = bytearray(data)
        broken[200] ^= 1
        torn.write_bytes(broken)
        ended = self.tool("info", torn, code=1)
        self.assertIn("capture-corrupt", ended.stderr)
        self.assertIn("at byte 64", ended.stderr)
        torn.write_text("{}")
        self.assertIn("capture-missing", self.tool("to-jsonl", torn, code=1).stderr)

    def test_a_part_has_what_held_before(self):
        """By seconds and by the clock; all of it in front, at the time 0."""
        widgets = {"device": "d-1", "widgets": [widget("w1", character="elf-42")]}
        path = self.made("a.rrc", [
            {"time": 0, "kind": "apps", "body": APPS},
            {"time": 0, "connection": 2, "kind": "hello", "body": GATEWAY},
            {"time": 1, "connection": 2, "kind": "widgets", "seq": 1, "body": widgets},
            {"time": seconds(1), "connection": 1, "kind": "hello", "body": PUBLISHER},
            *({"time": seconds(t), "connection": 1, "kind": "push", "seq": t,
               "body": {"at": t}} for t in range(2, 30)),
        ])
        cut = self.folder / "cut.rrc"
        self.tool("cut", path, "--from", "12.5", "--until", "15", "--output", cut)
        found = self.lines(cut)
        self.assertEqual(found[0]["startedAt"], BEGIN + seconds(12.5))
        self.assertEqual([(r["kind"], r["time"]) for r in found[1:]], [
            ("apps", 0), ("hello", 0), ("hello", 0), ("widgets", 0), ("push", seconds(0.5)),
            ("push", seconds(1.5))])
        self.assertEqual(found[4]["body"], widgets)
        clock = self.folder / "clock.rrc"
        begin = "2026-11-18T11:06:40Z"  # BEGIN
        self.tool("cut", path, "--from", begin.replace(":40", ":52.5"), "--until", "11:06:55Z",
                  "--output", clock)
        self.assertEqual(self.lines(clock)[1:], found[1:])
        for arguments in (("--from", "soon"), ("--from", "5", "--until", "5")):
            ended = lab("capture", "cut", path, *arguments, "--output", self.folder / "x")
            self.assertNotEqual(ended.returncode, 0)
        self.assertFalse((self.folder / "x").exists())

    def test_recordings_of_two_routers_are_joined(self):
        other = HEADER | {"recording": "00000000000000bb", "startedAt": BEGIN + seconds(1)}
        hello = {"time": 0, "connection": 1, "kind": "hello", "body": PUBLISHER}
        pushes = [{"time": seconds(t), "connection": 1, "kind": "push", "seq": t, "body": {"t": t}}
                  for t in range(1, 4)]
        apps = {"time": 0, "kind": "apps", "body": APPS}
        paths = [self.made("a.rrc", [apps, hello] + pushes),
                 self.made("b.rrc", [apps, hello] + pushes, other)]
        both = self.folder / "both.rrc"
        self.tool("merge", *paths, "--output", both)
        header, *found = self.lines(both)
        self.assertEqual(header["startedAt"], BEGIN)
        self.assertEqual([(r["time"] // seconds(1), r.get("connection", 0), r["kind"])
                          for r in found], [
            (0, 0, "apps"), (0, 1, "hello"), (1, 1, "push"), (1, 2, "hello"), (2, 1, "push"),
            (2, 2, "push"), (3, 1, "push"), (3, 1, "ended"), (3, 2, "push"), (4, 2, "push"),
            (4, 2, "ended")])
        changed = self.made("c.rrc", [apps | {"body": {"apps": []}}],
                            HEADER | {"recording": "00000000000000cc"})
        ended = self.tool("merge", paths[0], changed, "--output", self.folder / "x", code=1)
        self.assertIn("capture-foreign", ended.stderr)
        self.assertIn("c.rrc", ended.stderr)
        self.assertFalse((self.folder / "x").exists())
        self.assertIn("capture-exists",
                      self.tool("merge", *paths, "--output", both, code=1).stderr)

    def test_lines_that_are_wrong_are_refused_with_their_number(self):
        good = json.dumps(HEADER, separators=(",", ":"))
        push = '{"time":5,"connection":1,"kind":"push","body":{}}'
        for text, words in [
            ("", "has no lines"), ("{}", "line 1: the first line has"),
            (good.replace(":2,", ":3,", 1), "capture-newer"),
            (f"{good}\n\n{push}\n{push.replace(':5,', ':4,', 1)}", "line 4: the time is before"),
            (f'{good}\n{push.replace("push", "pull")}', "line 2: kind must be one of"),
        ]:
            ended = self.tool("from-jsonl", "--output", self.folder / "x", input=text, code=1)
            self.assertIn(words, ended.stderr)
            self.assertFalse((self.folder / "x").exists(), text)

    def test_a_full_disk_is_reported_and_leaves_nothing_unfinished(self):
        small = self.folder / "small"
        small.mkdir()
        chance = random.Random(3)
        records = [{"time": n, "connection": 1, "kind": "push", "seq": n,
                    "body": {"x": chance.randbytes(2_000).hex()}} for n in range(1_500)]
        path = self.made("a.rrc", records)
        with disk(small, "1m"):
            ended = self.tool("cut", path, "--output", small / "cut.rrc", code=1)
            self.assertIn("capture-full", ended.stderr)
            self.assertEqual(list(small.iterdir()), [])

    def test_files_of_a_recording_are_one(self):
        """In any order; what the second repeats is left out, and a missing one is reported."""
        apps = {"time": 0, "kind": "apps", "body": APPS}
        hello = {"time": 0, "connection": 1, "kind": "hello", "body": PUBLISHER}
        first = [apps, hello, {"time": 5, "connection": 1, "kind": "push", "seq": 1, "body": {}}]
        later = [{"time": 9, "connection": 1, "kind": "push", "seq": 2, "body": {}}]
        again = [record | {"time": 9} for record in (apps, hello)]
        header = HEADER | {"number": 3, "firstTime": 9}
        paths = [self.made("b.rrc", again + later, header), self.made("a.rrc", first)]
        ended = self.tool("to-jsonl", *paths)
        self.assertEqual(ended.stderr, "file 2 of the recording was not named\n")
        found = [json.loads(line) for line in ended.stdout.splitlines()]
        self.assertEqual(found, [HEADER] + first + later)
        header_read, read = capture.read(paths)
        self.assertEqual([header_read] + read, found)
        self.assertEqual(self.lines(paths[0]), [header] + again + later, "it can be read alone")
        info = json.loads(self.tool("info", "--json", *paths).stdout)
        self.assertEqual((info["files"], info["missing"], info["restated"], info["records"]),
                         (2, [2], 2, 4))
