"""App files come into force one after the other, in portions, and each as a whole or not at all."""

import contextlib
import http.client
import json
import pathlib
import random
import signal
import tempfile
import threading
import unittest

from admin import ask, metrics
from preload import PreloadLibrary
from store_case import *

ADMIN = ("--admin", "127.0.0.1:0")


def file_of(prefix, count):
    """The usual app file, with more kinds in its first app, and an app for each hundred of them."""
    apps = json.loads(json.dumps(APPS))
    apps["apps"][0]["kinds"] += [{"kind": f"{prefix}-{number}", **ANY_TIME,
                                  "match": {"p": ["${configuration.p}"]}} for number in range(count)]
    apps["apps"] += [{"app": f"com.{prefix}-{number}", **ACCESS, "kinds": [{"kind": "k"}]}
                     for number in range(count // 100)]
    return apps


class AppFiles(StoreCase):
    flags = ADMIN

    def put(self, apps):
        return ask(self.router, "/v1/app-file", "PUT", json.dumps(apps))

    def kinds(self):
        found = ask(self.router, "/v1/app-file").json
        return sorted(kind["kind"] for app in found["apps"] for kind in app["kinds"])

    def hang_up(self, said="app file read again"):
        count = self.router.log.count(said)
        self.router.signal(signal.SIGHUP)
        self.router.wait_log(said, count + 1)

    def test_a_large_file_is_acknowledged_after_its_effect(self):
        """Its last kind has widgets at once, and those of other kinds match all the time."""
        device, publisher = self.device("d-1", ELF), self.publisher()
        for prefix, count in (("a", 2_000), ("b", 1_500), ("b", 129), ("c", 0)):
            apps = file_of(prefix, count)
            answer = self.put(apps)
            self.assertEqual(answer.status, 200, answer.text)
            kinds = sorted(kind["kind"] for app in apps["apps"] for kind in app["kinds"])
            self.assertEqual(self.kinds(), kinds)
            self.assertEqual(answer.json["kinds"], len(kinds))
            if count:
                device.register(ELF, widget("w2", f"{prefix}-{count - 1}", p="1"))
                self.assertEqual(publisher.pushed({"p": "1"}), 1)
            self.assertEqual(publisher.pushed(HEALING), 1)
        device.reloads()

    def test_files_that_come_together_do_not_mix(self):
        """From operators and from the disk; the last one that is said to be in force is, as a whole."""
        wanted = {prefix: file_of(prefix, 400) for prefix in "abcdef"}
        answers = []

        def put(prefix):
            answers.append((prefix, self.put(wanted[prefix])))
        threads = [threading.Thread(target=put, args=(prefix,)) for prefix in wanted]
        for thread in threads:
            thread.start()
            self.router.signal(signal.SIGHUP)
        for thread in threads:
            thread.join()
        for prefix, answer in answers:
            self.assertEqual(answer.status, 200, answer.text)
            self.assertEqual(answer.json["apps"], len(wanted[prefix]["apps"]))
        self.hang_up()
        usual = sorted(kind["kind"] for app in APPS["apps"] for kind in app["kinds"])
        wait_until(lambda: self.kinds() == usual, "the file of the disk, which was read last")

    def test_a_file_that_is_as_before_leaves_nothing_in_the_journal(self):
        self.hang_up()
        before = metrics(self.router)["journal_records_submitted_total"]
        self.hang_up()
        self.hang_up()
        self.assertEqual(metrics(self.router)["journal_records_submitted_total"], before)
        # A file of an operator takes the place of that of the disk, which then is another one.
        self.assertEqual(self.put(file_of("a", 1)).status, 200)
        self.assertIn("a-0", self.kinds())
        self.hang_up()
        self.assertNotIn("a-0", self.kinds())

    def test_a_file_that_is_refused_leaves_all_as_it_was(self):
        before = ask(self.router, "/v1/app-file").text
        apps = file_of("a", 300)
        apps["apps"][0]["kinds"][-1]["observes"] = []
        self.assertEqual(self.put(apps).status, 400)
        self.router.apps.write_text(json.dumps(apps))
        self.hang_up("app file refused")
        self.assertEqual(ask(self.router, "/v1/app-file").text, before)

    def test_a_kill_in_the_midst_of_a_file_leaves_one_file_or_the_other(self):
        """The start reads that of the disk, whatever the journal has of another one."""
        generator = random.Random(7)
        usual = sorted(kind["kind"] for app in APPS["apps"] for kind in app["kinds"])
        self.device("d-1", ELF)
        for number in range(6):
            thread = threading.Thread(target=self.attempt, args=(file_of(f"n{number}", 3_000),))
            thread.start()
            thread.join(generator.random() * 0.3)
            self.router.kill()
            thread.join()
            self.tool("check", self.router)
            self.router.restart()
            self.assertEqual(self.kinds(), usual)
            self.assertEqual(self.publisher(f"p-{number}").pushed(HEALING), 1)

    def attempt(self, apps):
        with contextlib.suppress(OSError, http.client.HTTPException):
            self.put(apps)


class ReplacedVolume(PreloadLibrary):
    """The library that replaces a volume while a program is in it."""

    source = "replaced_volume.c"


class Volume(unittest.TestCase):
    def test_a_file_whose_version_goes_while_it_is_looked_for_is_the_next_one(self):
        library = self.enterContext(ReplacedVolume())
        volume = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        # As the kubelet makes them.
        for version, apps in (("..former", {"apps": []}), ("..next", APPS)):
            (volume / version).mkdir()
            (volume / version / "apps.json").write_text(json.dumps(apps))
        (volume / "..data").symlink_to("..former")
        (volume / "..data_tmp").symlink_to("..next")
        (volume / "apps.json").symlink_to("..data/apps.json")
        checked = command("check", "--apps", volume / "apps.json",
                          env=library.preload | {"REPLACED_VOLUME": str(volume)})
        self.assertTrue((volume / "..gone").exists(), "it was replaced")
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn("ok (2 apps", checked.stdout, "it is the next one")


if __name__ == "__main__":
    unittest.main()
