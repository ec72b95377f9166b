"""`reload-router explain`: whom a push reaches and why, from the example files alone."""

import json
import pathlib
import tempfile
import unittest

from support import *

GAME = CHECKOUT / "deploy" / "examples" / "game"
DRAGON_PUSH = {"event": "dragon", "region": "marsh"}


def example_widgets(kind):
    """(device, widget id, configuration) of the example game's widgets of a kind."""
    for line in (GAME / "widgets.jsonl").read_text().splitlines():
        body = json.loads(line)
        for entry in body["widgets"]:
            if entry["kind"] == kind:
                yield body["device"], entry["id"], entry.get("configuration", {})


def regions(configuration):
    region = configuration["region"]
    return region if isinstance(region, list) else [region]


def concerned_lines(text):
    """The lines about widgets that the push concerns, without the sum and what is decided later."""
    return text.split("\n\n")[0].splitlines()[:-1]


class Explain(unittest.TestCase):
    def explain(self, push, *more, apps=GAME / "apps.json", widgets=GAME / "widgets.jsonl",
                app=APP, status=0):
        text = push if isinstance(push, str) else json.dumps(push)
        result = command("explain", "--apps", apps, "--widgets", widgets, "--app", app,
                         "--push", text, *more)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return result.stdout if status == 0 else result.stderr

    def test_it_names_every_widget_that_the_push_reaches_and_why(self):
        """The same widgets as a look through the file finds, each with the value that passes."""
        expected = [f"{device}/{id} [queued]" for device, id, configuration in example_widgets(DRAGON)
                    if "marsh" in regions(configuration)]
        self.assertGreater(len(expected), 10)
        text = self.explain(DRAGON_PUSH, "--limit", 1000)
        lines = concerned_lines(text)
        self.assertEqual([line.split(":")[0] for line in lines], expected)
        for line in lines:
            self.assertIn('matches: event: "dragon" passes "dragon"; region: "marsh" passes '
                          '"${configuration.region}" = ', line)
        self.assertIn(f"\n{len(expected)} matched, {len(expected)} reported\n", text)
        few = self.explain(DRAGON_PUSH, "--limit", 2)
        self.assertEqual(concerned_lines(few), lines[:2])
        self.assertIn(f"\n{len(expected)} matched, 2 reported\n", few)

    def test_it_says_why_the_nearest_are_not_concerned(self):
        """Unasked, of five, if the push matches nothing."""
        lines = self.explain(DRAGON_PUSH | {"region": "nowhere"}).splitlines()
        self.assertEqual((len(lines), lines[5]), (6, "0 matched, 0 reported"))
        for line in lines[:5]:
            self.assertRegex(line, r'^\S+/\S+: does not match: region: the push has "nowhere"')

    def test_of_a_push_without_a_field_of_any_rule_one_widget_is_named(self):
        """And of no other of the many that lack a single field; nor with --near."""
        lines = self.explain({"weather": "rain"}).splitlines()
        self.assertEqual((len(lines), lines[1]), (2, "0 matched, 0 reported"))
        self.assertIn("the push lacks it", lines[0])
        few = self.explain({"event": "no-such"}, "--near").splitlines()
        for line in few[:-1]:
            self.assertNotIn("more condition", line)

    def test_it_says_of_one_device_what_failed(self):
        """Both values of the condition that failed, for each widget or for the one that is named."""
        device, id, configuration = next(
            (device, id, configuration)
            for device, id, configuration in example_widgets(DRAGON)
            if "marsh" not in regions(configuration))
        text = self.explain(DRAGON_PUSH, "--device", device, "--widget", id)
        lines = text.splitlines()
        self.assertIn('does not match: region: the push has "marsh", the rule wants '
                      '"${configuration.region}" = ', lines[0])
        self.assertRegex(lines[1], r'^ +holds  event: "dragon", wanted "dragon"$')
        self.assertRegex(lines[2], r'^ +fails  region: "marsh", wanted "\$\{configuration.region\}" = ')
        self.assertEqual(lines[3:], ["0 matched, 0 reported"])
        every = self.explain(DRAGON_PUSH, "--device", device).splitlines()
        self.assertIn(lines[0], every)
        self.assertGreater(len(every), len(lines))
        self.assertEqual(self.explain(DRAGON_PUSH, "--device", device, "--kind", DRAGON), text)

    def test_near_names_the_widgets_that_one_condition_keeps_away(self):
        """Dragon watches of other regions; with --kind no others, with --device only its own."""
        expected = [f"{device}/{id}" for device, id, configuration in example_widgets(DRAGON)
                    if "marsh" not in regions(configuration)]
        lines = self.explain(DRAGON_PUSH, "--near", "--kind", DRAGON, "--limit", 1000).splitlines()
        self.assertEqual([line.split(":")[0] for line in lines[:-1]], expected)
        self.assertEqual(lines[-1], f"{len(expected)} nearly matched")
        device = expected[0].split("/")[0]
        own = self.explain(DRAGON_PUSH, "--near", "--kind", DRAGON, "--device", device).splitlines()
        self.assertEqual([line for line in own[:-1] if line[0] != " "], lines[:1])

    def test_the_push_may_stand_in_a_file(self):
        """@FILE, over several lines; and what the router would refuse is refused."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "push.json")
            file.write_text(json.dumps(DRAGON_PUSH, indent=2))
            self.assertEqual(concerned_lines(self.explain(f"@{file}")),
                             concerned_lines(self.explain(DRAGON_PUSH)))
            self.assertIn("push.json", self.explain(f"@{file}x", status=1))
        self.assertIn("byte 1", self.explain("{", status=1))

    def test_names_that_do_not_exist_are_refused(self):
        """An app, a kind, a device, a widget; and a widget without a device is a usage error."""
        self.assertIn("com.no", self.explain({}, app="com.no", status=1))
        self.assertIn("com.no", self.explain({}, "--kind", "com.no", status=1))
        self.assertIn("nobody", self.explain({}, "--device", "nobody", status=1))
        self.assertIn("w99", self.explain({}, "--device", "player-000", "--widget", "w99",
                                          status=1))
        self.assertIn("--device", self.explain({}, "--widget", "w1", status=64))
        self.assertIn("1 to 128 bytes", self.explain({}, "--kinds", "k" * 129, status=64))

    def test_it_explains_parameters_that_are_missing_or_of_no_use(self):
        """And a later line of a device replaces an earlier one, as in the router."""
        rule = {"event": [{"prefix": "${configuration.event}"}],
                "$or": [{"place": {"region": ["north"]}}, {"hp": [{"numeric": ["<", 10]}]}]}
        with tempfile.TemporaryDirectory() as folder:
            apps, widgets = pathlib.Path(folder, "apps.json"), pathlib.Path(folder, "w.jsonl")
            apps.write_text(json.dumps(
                {"apps": [{"app": APP, "kinds": [{"kind": DRAGON, "match": rule}]}]}))
            bodies = [
                {"device": "d-1", "widgets": [widget("old", DRAGON, event="dra")]},
                {"device": "d-2", "widgets": [widget("w1", DRAGON), widget("w2", DRAGON, event=7)]},
                {"device": "d-1", "widgets": [widget("new", DRAGON, event="dra")]},
            ]
            widgets.write_text("".join(json.dumps(body) + "\n" for body in bodies))
            files = {"apps": apps, "widgets": widgets}
            push = {"event": "dragon", "place": {"region": "north"}}
            lines = concerned_lines(self.explain(push, **files))
            self.assertEqual([line.split()[:2] for line in lines], [["d-1/new", "[sent]:"]])
            text = self.explain(push, "--device", "d-2", **files)
            self.assertIn("the widget has no parameter event", text)
            self.assertIn("7 is not a string", text)
            text = self.explain({"event": "dragon", "hp": 10}, "--near", "--device", "d-1", **files)
            self.assertIn("$or: none of 2 patterns holds", text)
            with widgets.open("a") as file:
                file.write('{"device":"d-3","widgets":[{"id":"w","kind":"com.no"}]}\n')
            self.assertRegex(self.explain(push, status=1, **files), r"w\.jsonl: line 4.*com\.no")


if __name__ == "__main__":
    unittest.main()
