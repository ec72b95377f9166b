"""`reload-router explain`: what becomes of the widgets that a push concerns, and when."""

import json
import pathlib
import tempfile
import unittest

from support import *

NOW = 1_795_262_400_000  # 2026-11-21T12:00:00Z
POTION = {"character": "elf-42", "hp": 30}


class DryRun(unittest.TestCase):
    """What becomes of the widgets that a push concerns: the router itself, in simulated time."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_dry(self, policy, lines, *pushes, more=(), origins=(), status=0, as_text=False):
        """What explain prints is decided for one kind with a policy, by (device, widget)."""
        kind = {"kind": DETAIL, "match": {"character": ["${configuration.character}"]}, **policy}
        app = {"app": APP, "origins": list(origins), "kinds": [kind]}
        apps, widgets = self.folder / "apps.json", self.folder / "widgets.jsonl"
        apps.write_text(json.dumps({"apps": [app]}))
        widgets.write_text("".join(json.dumps(line) + "\n" for line in lines))
        arguments = [part for push in pushes for part in ("--push", json.dumps(push))]
        if not as_text:
            arguments.append("--json")
        result = command("explain", "--apps", apps, "--widgets", widgets, "--now", NOW,
                         *arguments, *more)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        if status or as_text:
            return result.stderr if status else result.stdout
        objects = [json.loads(line) for line in result.stdout.splitlines()]
        self.explained = [found for found in objects if "events" not in found]
        return {(found["device"], found["widget"]): found for found in objects if "events" in found}

    def line(self, device="d-1", before=(), state=None, ids=("w1",), character="elf-42"):
        widgets = [{"id": id, "kind": DETAIL, "configuration": {"character": character}}
                   for id in ids]
        if before:
            widgets[0]["reloadsBefore"] = list(before)
        return {"device": device, "widgets": widgets} | ({"state": state} if state else {})

    def reasons(self, found):
        return [event.get("reason") for event in found["events"]]

    def test_a_widget_that_has_not_reloaded_reloads_now_and_pays_one(self):
        """No app is named: the file has one. Closed token lists do not keep the dry run out."""
        found = self.run_dry({}, [self.line()], POTION)["d-1", "w1"]
        explained, = self.explained
        self.assertEqual((explained["widget"], explained["outcome"], explained["reloadsAt"]), ("w1", "sent", NOW))
        self.assertEqual((explained["kind"], explained["tests"][0]["isHeld"]), (DETAIL, True))
        self.assertEqual(found["events"], [{
            "at": NOW, "after": 0, "reason": "sent", "cause": "push", "cost": 1, "used": 1, "allowance": 60}])

    def test_one_that_has_just_reloaded_waits_for_the_spacing(self):
        """To the millisecond or little later, with the cause budget; in words for people."""
        lines = [self.line(before=[48, 7_200])]
        waits, reload = self.run_dry({}, lines, POTION)["d-1", "w1"]["events"]
        self.assertEqual((waits["reason"], waits["after"]), ("spacing", 0))
        self.assertTrue(252_000 <= reload["after"] <= 252_100, reload)
        self.assertEqual((reload["cause"], reload["cost"], reload["used"]), ("budget", 1, 3))
        self.assertEqual(self.explained[0]["outcome"], "deferred")
        text = self.run_dry({}, lines, POTION, as_text=True)
        self.assertIn("d-1/w1 [deferred]: matches", text)
        self.assertIn("now             waits (spacing): a widget's reloads are 5 min apart", text)
        self.assertIn("+4 min 12 s     reloads at 12:04:12Z, cause budget: costs 1, then 3 of 60 used in 24 h", text)
        self.assertIn("0 reload at once, 1 later, 0 not at all", text)

    def test_a_spent_budget_defers_and_an_urgent_push_has_the_reserve(self):
        """What is kept for urgent pushes is named; a free device does not wait."""
        policy = {"budget": {"spacing": 0, "learningDays": 0, "daily": 20, "often": 20}}
        before = [3_600 + 1_000 * n for n in range(18)]
        later = self.run_dry(policy, [self.line(before=before)], POTION)["d-1", "w1"]
        self.assertEqual(self.reasons(later), ["budget", "sent"])
        self.assertEqual(later["events"][1]["allowance"], 20)
        self.assertGreater(later["events"][1]["after"], 3_600_000)
        text = self.run_dry(policy, [self.line(before=before)], POTION, as_text=True)
        self.assertIn("18 of 20 used in 24 h, 2 kept for urgent pushes", text)
        urgent = self.run_dry(policy, [self.line(before=before)], POTION, more=["--urgent"])
        self.assertEqual(self.reasons(urgent["d-1", "w1"]), ["sent"])
        for state, why in [({"foreground": True}, "in the foreground"),
                           ({"media": "audio"}, "audio"), ({"media": "navigation"}, "the app navigates")]:
            lines = [self.line(before=before, state=state)]
            free = self.run_dry(policy, lines, POTION)["d-1", "w1"]
            self.assertEqual((self.reasons(free), free["events"][0]["cost"]), (["sent"], 0))
            self.assertIn(why, self.run_dry(policy, lines, POTION, as_text=True))

    def test_a_budget_of_nothing_waits_to_the_end(self):
        """After 25 hours it is said that the reload is still waiting."""
        policy = {"budget": {"seldom": 0, "daily": 0, "often": 0}}
        found = self.run_dry(policy, [self.line()], POTION)["d-1", "w1"]
        self.assertEqual((self.reasons(found), found["waits"]), (["budget"], True))
        text = self.run_dry(policy, [self.line()], POTION, as_text=True)
        self.assertIn("+25 h           still waiting", text)

    def test_siblings_of_the_kind_pay_along(self):
        """Also for one that the push does not concern: its next reload finds less of the budget."""
        lines = [self.line()]
        lines[0]["widgets"].append(
            {"id": "w2", "kind": DETAIL, "configuration": {"character": "orc-7"}})
        found = self.run_dry({}, lines, POTION, {"character": "orc-7"}, more=["--every", 900])
        self.assertEqual([(widget, one["events"][0]["used"]) for (_, widget), one in found.items()],
                         [("w1", 1), ("w2", 2)])

    def summed(self, *arguments, **options):
        return self.run_dry(*arguments, as_text=True, **options).splitlines()[-1]

    def test_widgets_of_several_reloads_pay_once(self):
        """A device's RELOADs of one moment name 128 widgets each."""
        line = self.line(ids=[f"w{n}" for n in range(130)])
        found = self.run_dry({}, [line], POTION, more=["--limit", 200])
        self.assertEqual([self.reasons(one) for one in found.values()], [["sent"]] * 130)
        self.assertEqual([one["events"][0]["used"] for one in found.values()], [1] * 130)
        self.assertEqual(self.summed({}, [line], POTION), "130 reload at once, 0 later, 0 not at all")

    def test_several_pushes_show_unchanged_debounce_and_spacing(self):
        """Each push is explained before it is made; then each decision has its time."""
        policy = {"observes": ["hp"], "debounce": {"wait": 2}}
        pushes = [POTION, POTION, POTION | {"hp": 31}, POTION | {"hp": 32}]
        found = self.run_dry(policy, [self.line()], *pushes)["d-1", "w1"]
        self.assertEqual(self.reasons(found), [
            "debounced", "unchanged", "sent", "debounced", "debounced", "spacing", "sent"])
        text = self.run_dry(policy, [self.line()], *pushes, as_text=True)
        self.assertEqual([(one["push"], one["outcome"]) for one in self.explained],
                         [(1, "debounced"), (2, "unchanged"), (3, "debounced"), (4, "debounced")])
        self.assertRegex(text, r"Push 2, \+1 s:\nd-1/w1 \[unchanged\]: matches")
        self.assertRegex(text, r"\n    \+1 s +no reload \(unchanged\): hp is as before")
        self.assertRegex(text, r"\n    \+2 s +reloads: costs 1")
        spaced = self.run_dry({}, [self.line()], POTION, POTION, more=["--every", 400])
        self.assertEqual(self.reasons(spaced["d-1", "w1"]), ["sent", "sent"])

    def test_everything_that_is_decided_about_a_device_is_printed(self):
        """However many its widgets and the pushes are: from the first push on, in order."""
        many = [self.line(ids=[f"w{n}" for n in range(130)])]
        self.assertEqual(self.summed({}, many, POTION),
                         "130 reload at once, 0 later, 0 not at all")
        pushed = self.run_dry({}, [self.line()], *[POTION] * 140)["d-1", "w1"]
        self.assertEqual(self.reasons(pushed),
                         ["sent", "spacing"] + ["coalesced"] * 138 + ["sent"])
        found = self.run_dry({}, [self.line(ids=[f"w{n}" for n in range(12)])], *[POTION] * 20,
                             more=["--every", 60])
        self.assertEqual(len(found), 12)
        for one in found.values():
            round = ["spacing"] + ["coalesced"] * 3 + ["sent"]
            self.assertEqual(self.reasons(one)[:11], ["sent"] + round + ["spacing"] +
                             ["coalesced"] * 4)
            times = [event["after"] for event in one["events"]]
            self.assertEqual(times, sorted(times))
            causes = [event["cause"] for event in one["events"] if event["reason"] == "sent"]
            self.assertEqual(causes, ["push"] + ["budget"] * (len(causes) - 1))

    def test_an_origin_is_paced(self):
        """100 devices at 50 a second: never more than that in a second, and done within three."""
        lines = [self.line(f"d-{n}") for n in range(100)]
        found = self.run_dry({"origin": "o"}, lines, POTION,
                             origins=[{"origin": "o", "perSecond": 50, "undelayed": 0}])
        times = [one["events"][-1]["after"] for one in found.values()]
        self.assertEqual(len(times), 100)
        for second in range(4):
            self.assertLessEqual(sum(t // 1000 == second for t in times), 51)
        self.assertTrue(900 <= max(times) < 3_000, max(times))

    def test_what_is_known_of_a_device_is_checked(self):
        """By check and by explain, with line and column."""
        good = self.line(before=[0, 86_400], state={"media": None, "visible": ["w1"]})
        self.run_dry({}, [good], POTION)
        bad = [
            (self.line(state={"foreground": 1}), "foreground"),
            (self.line(state={"media": "radio"}), "media"),
            (self.line(state={"visible": ["w2"]}), "visible"),
            (self.line(state={"location": "significant-change"}), "no member location"),
            (self.line() | {"state": 1}, "state must be an object"),
            (self.line(before=[-1]), "reloadsBefore"),
            (self.line(before=[86_401]), "reloadsBefore"),
            (self.line(before=["1"]), "reloadsBefore"),
            (self.line(before=[1] * 1_001), "reloadsBefore"),
        ]
        for line, problem in bad:
            with self.subTest(problem=problem):
                message = self.run_dry({}, [good, line], POTION, status=1)
                self.assertRegex(message, rf"widgets\.jsonl: line 2, column \d+: .*{problem}")
                result = command("check", "--widgets", self.folder / "widgets.jsonl")
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, rf"line 2, column \d+: .*{problem}")

    def test_dates_and_intervals_are_checked(self):
        """ISO 8601 with Z or an offset, or milliseconds; the same moment gives the same answer."""
        line = [self.line(before=[48])]
        expected = self.run_dry({}, line, POTION)
        for date in ("2026-11-21T12:00:00Z", "2026-11-21T13:00+01:00",
                     "2026-11-21T11:59:59.999Z"):
            found = self.run_dry({}, line, POTION, more=["--now", date])
            self.assertEqual(found["d-1", "w1"]["events"][0]["at"], NOW - date.count("999"))
            self.assertEqual(self.reasons(found["d-1", "w1"]),
                             self.reasons(expected["d-1", "w1"]))
        for wrong in (("--now", "tomorrow"), ("--now", "2026-02-30T00:00:00Z"), ("--now", 5),
                      ("--every", 0), ("--every", "nan")):
            self.run_dry({}, line, POTION, more=wrong, status=64)

    def test_dates_end_where_a_routers_slots_do(self):
        """The whole dry run lies before 2096-10-02T07:06:40Z, and up to there it answers the same."""
        line = [self.line(before=[48])]
        for late in ("2096-10-02T07:06:41Z", "2106-02-08T00:00:00Z", "9999-12-31T00:00:00Z"):
            message = self.run_dry({}, line, POTION, more=["--now", late], status=64)
            self.assertIn("from 1971 to 2096-10-02T07:06:40Z", message)
        last = "2096-10-01T06:06:40Z"
        found = self.run_dry({}, line, POTION, more=["--now", last])["d-1", "w1"]
        self.assertEqual(self.reasons(found), ["spacing", "sent"])
        for late, pushes in (("2096-10-01T06:06:41Z", 1), (last, 2)):
            message = self.run_dry({}, line, *[POTION] * pushes, more=["--now", late], status=64)
            self.assertIn("would end after 2096-10-02T07:06:40Z", message)


if __name__ == "__main__":
    unittest.main()
