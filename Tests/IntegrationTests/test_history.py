"""The history of the metrics: what the router has kept of its last minutes, and what it marks."""

import pathlib
import signal
import stat
import unittest

from admin import ask
from openapi import Document
from store_case import *

ADMIN = ("--admin", "127.0.0.1:0")
DOCUMENT = Document()


def history(router, **query):
    """The answer, which is as documented."""
    path = "/v1/history" + ("?" if query else "") + "&".join(f"{k}={v}" for k, v in query.items())
    answer = ask(router, path)
    DOCUMENT.check(DOCUMENT.operation("history")[2], answer)
    assert answer.status == 200, answer.text
    return answer.json


def total(found, name):
    return sum(point[name] for point in found["points"])


def events(router):
    return [mark["event"] for mark in history(router)["marks"]]


class History(StoreCase):
    flags = ADMIN

    def wait_total(self, router, name, count):
        return wait_until(lambda: (found := history(router)) and total(found, name) == count
                          and found, f"{count} {name} in the history")

    def test_what_happened_is_in_its_second(self):
        """Pushes, matches, RELOADs, refused frames, connections and latencies."""
        self.device("d-1", ELF)
        publisher = self.publisher()
        self.pushes(publisher, 7)
        publisher.push(b"{")
        found = self.wait_total(self.router, "rejected", 1)
        self.assertEqual([total(found, name) for name in ("pushes", "matched", "reloads")],
                         [7, 7, 7])
        last = found["points"][-1]
        self.assertEqual((last["publishers"], last["devices"], last["gateways"]), (1, 1, 0))
        measured = next(point for point in reversed(found["points"]) if point["pushes"])
        for name in ("pushToAck", "pushToReload", "tick"):
            self.assertGreater(measured[name]["max"], 0, name)
            self.assertLessEqual(measured[name]["p50"], measured[name]["p99"])
        self.assertGreater(total(found, "ticks"), 7)
        self.assertGreater(total(found, "bytesIn"), 7 * len(json.dumps(HEALING)))
        self.assertGreater(total(found, "bytesOut"), 0)

    def test_points_follow_one_another_from_the_start(self):
        """Of about a second each, and nothing before the router began to serve."""
        found = wait_until(lambda: len((found := history(self.router))["points"]) >= 4 and found,
                           "four seconds")
        points = found["points"]
        for earlier, later in zip(points, points[1:]):
            self.assertAlmostEqual(later["at"] - later["length"], earlier["at"], delta=50)
        self.assertGreaterEqual(points[0]["at"] - points[0]["length"], found["startedAt"] - 50)
        self.assertGreaterEqual(min(point["length"] for point in points), 950)
        self.assertLessEqual(len(history(self.router, range=2)["points"]), 3)
        self.assertEqual(history(self.router, resolution=60)["points"], [])

    def test_an_app_and_its_kinds_have_counts_and_minutes(self):
        self.device("d-1", ELF)
        publisher = self.publisher()
        self.pushes(publisher, 7)
        publisher.push(b"{")

        def course(path="", status=200):
            answer = ask(self.router, f"/v1/apps/{APP}/history{path}")
            DOCUMENT.check(DOCUMENT.operation("appHistory")[2], answer)
            self.assertEqual(answer.status, status, answer.text)
            return answer.json if status == 200 else None

        expected = {"pushes": 7, "matched": 7, "reloads": 7, "putOff": 0, "rejected": 1, "devices": 1,
                    "widgets": 1}
        wait_until(lambda: course()["counts"] == expected, "the counts")
        one = expected | {"rejected": 0, "devices": 0}
        self.assertEqual(course(f"?kind={DETAIL}")["counts"], one)
        self.assertEqual(course(f"?kind={BOARD}")["counts"], dict.fromkeys(expected, 0))
        course("?kind=nothing", status=404)
        course("?range=0", status=400)
        found = wait_until(lambda: (found := course())["points"] and found, "a minute", 90)
        self.assertEqual((found["isKept"], found["notKept"]), (True, 0))
        [minute] = found["points"]
        self.assertEqual((minute["counts"], minute["at"] <= found["at"]), (expected, True))
        self.assertAlmostEqual(minute["length"], 60_000, delta=5_000)
        self.assertEqual(course(f"?kind={DETAIL}")["points"][0]["counts"], one)
        # After a restart, the minute is there, and the part of one that was not over.
        publisher.close()
        publisher = self.publisher()
        self.pushes(publisher, 2)
        self.wait_total(self.router, "pushes", 9)
        publisher.close()
        self.router.restart(kill=False)
        for path, rejected in (("", 1), (f"?kind={DETAIL}", 0)):
            found = course(path)
            self.assertEqual([point["counts"]["pushes"] for point in found["points"]], [7, 2])
            self.assertEqual([point["counts"]["rejected"] for point in found["points"]], [rejected, 0])
            self.assertTrue(all(point["at"] <= found["startedAt"] for point in found["points"]))
            self.assertEqual(found["counts"]["pushes"], 0)
        self.assertGreater(ask(self.router, "/v1/status").json["memory"]["history"], 3 * 1_440 * 72)

    def test_of_more_apps_and_kinds_than_are_kept_it_is_said_how_many_are_not(self):
        kinds = [{"kind": f"k{index}"} for index in range(70)]
        router = self.start(*ADMIN, apps={"apps": [{"app": APP, **ACCESS, "kinds": kinds}]})
        for kind, is_kept in (("k0", True), ("k62", True), ("k63", False), ("k69", False)):
            found = ask(router, f"/v1/apps/{APP}/history?kind={kind}").json
            self.assertEqual((found["isKept"], found["notKept"]), (is_kept, 71 - 64), kind)

    def test_what_waits_is_counted(self):
        """A reload that the spacing puts off: once as put off, and as pending as long as it is."""
        apps = {"apps": [{"app": APP, **ACCESS, "kinds": [
            {"kind": DETAIL, "budget": {"spacing": 300},
             "match": {"character": ["${configuration.character}"]}}]}]}
        router = self.start(*ADMIN, apps=apps)
        self.device("d-1", ELF, router=router)
        publisher = self.publisher(router=router)
        self.pushes(publisher, 2)
        found = self.wait_total(router, "putOff", 1)
        self.assertEqual((total(found, "reloads"), found["points"][-1]["pending"]), (1, 1))

    def test_a_time_in_which_the_loop_was_stuck_is_one_point(self):
        self.wait_total(self.router, "pushes", 0)
        before = wait_until(lambda: history(self.router)["points"], "a point")[-1]["at"]
        self.router.signal(signal.SIGSTOP)
        # The router's clock goes on while it is stopped: what is waited for is time itself.
        wait_until(lambda: now_ms() > before + 4_000, "four seconds")
        self.router.signal(signal.SIGCONT)
        wait_until(lambda: max(point["length"] for point in history(self.router)["points"]) > 2_500,
                   "a long point")

    def test_what_operators_do_is_marked(self):
        """A start, two changes of the app file, a pause and a resumption; each once."""
        self.assertEqual(events(self.router), ["start"])
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("app file read again")
        answer = ask(self.router, "/v1/app-file", "PUT", self.router.apps.read_bytes())
        self.assertEqual(answer.status, 200)
        for verb in ("pause", "pause", "resume"):
            ask(self.router, f"/v1/apps/{APP}/{verb}", "POST")
        self.assertEqual(events(self.router), ["start", "appFile", "appFile", "pause", "resume"])
        self.router.apps.write_text("{")
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("app file refused")
        self.assertEqual(events(self.router)[-1], "resume", "nothing has changed")

    def test_a_drain_is_marked_while_it_lasts(self):
        publisher = self.publisher()
        self.assertEqual(ask(self.router, "/v1/drain", "POST").status, 202)
        publisher.expect(GOAWAY)
        self.assertEqual(events(self.router)[-1], "drain")

    def test_after_a_kill_it_has_no_part_of_a_minute_and_says_until_when_the_former_process_lived(self):
        self.pushes(self.publisher(), 3)
        self.wait_total(self.router, "pushes", 3)
        pushed = now_ms()
        self.router.restart()
        found = history(self.router)
        self.assertEqual(total(found, "pushes"), 0)
        self.assertEqual([mark["event"] for mark in found["marks"]], ["start", "end", "start"])
        end, start = (mark["at"] for mark in found["marks"][1:])
        self.assertLess(pushed - 10_000, end)
        self.assertLessEqual(end, start)
        self.assertLessEqual(found["startedAt"], start + 1_000)

    def test_what_was_before_a_restart_is_kept_with_its_marks(self):
        """Over two of them; the time between two processes is a gap."""
        for count in (3, 4):
            publisher = self.publisher()
            self.pushes(publisher, count)
            self.wait_total(self.router, "pushes", 3 if count == 3 else 7)
            publisher.close()
            self.router.restart(kill=False)
            wait_until(lambda: history(self.router)["points"], "a reading")
        found = history(self.router)
        self.assertEqual(total(found, "pushes"), 7)
        former = [point for point in found["points"] if point["at"] <= found["startedAt"]]
        self.assertEqual([point["pushes"] for point in former], [3, 4])
        self.assertGreater(former[1]["tick"]["max"], 0)
        for earlier, later in zip(found["points"], found["points"][1:]):
            self.assertGreaterEqual(later["at"] - later["length"], earlier["at"] - 50)
        self.assertEqual(events(self.router).count("start"), 3)
        self.assertEqual(events(self.router).count("drain"), 2)
        self.assertEqual(total(history(self.router, resolution=60), "pushes"), 7)
        self.assertEqual(total(history(self.router, resolution=1), "pushes"), 0)
        file = pathlib.Path(f"{self.router.store}.history")
        self.assertEqual((stat.S_IMODE(file.stat().st_mode), file.stat().st_size <= 9_200_000),
                         (0o600, True))

    def test_what_is_damaged_in_its_file_is_left_out(self):
        """An entry, the beginning, and the whole file; the log says so, and the router goes on."""
        self.pushes(self.publisher(), 3)
        self.wait_total(self.router, "pushes", 3)
        file = pathlib.Path(f"{self.router.store}.history")

        def restart_with(spoil):
            self.assertEqual(self.router.stop(), 0)
            data = bytearray(file.read_bytes())
            spoil(data)
            file.write_bytes(data)
            self.router.restart()
            wait_until(lambda: history(self.router)["points"], "a reading")
            return total(history(self.router), "pushes")

        def flip(offset):
            return lambda data: data.__setitem__(offset, data[offset] ^ 1)

        self.assertEqual(restart_with(lambda data: None), 3)
        self.assertEqual(restart_with(flip(8)), 3)
        self.assertIn("1 of its entries are damaged", self.router.log)
        self.assertEqual(restart_with(flip(32)), 0)
        restart_with(lambda data: data.__setitem__(slice(None), bytes([7]) * len(data)))
        self.assertIn("it is no history of this version", self.router.log)
        self.assertEqual(events(self.router), ["end", "start"])
        restart_with(lambda data: data.clear())
        self.assertEqual(events(self.router), ["end", "start"])


if __name__ == "__main__":
    unittest.main()
