"""The subcommand match: patterns and events as the router itself judges them."""

import json
import pathlib
import re
import tempfile
import unittest

from support import *

VECTORS = CHECKOUT / "protocol" / "vectors" / "patterns.json"


def match(pattern, event, configuration=None):
    more = [] if configuration is None else ["--configuration", configuration]
    return command("match", "--pattern", pattern, "--event", event, *more)


def pair(vector):
    """A line of --pairs."""
    texts = [vector["pattern"], vector["event"]]
    return "\t".join(texts + ([vector["configuration"]] if "configuration" in vector else []))


def pairs(lines):
    return command("match", "--pairs", "-", input="\n".join(lines) + "\n", timeout=60)


class Vectors(unittest.TestCase):
    def setUp(self):
        self.vectors = json.loads(VECTORS.read_text(encoding="utf-8"))

    def assert_verdict(self, vector, line):
        result = vector["result"]
        if isinstance(result, bool):
            self.assertEqual(line, json.dumps(result), vector)
        else:
            path = f" {vector['path']}" if vector.get("path") else ""
            self.assertRegex(line, rf"^error {re.escape(result + path)}[ :]", vector)

    def test_all_vectors_in_one_run(self):
        """One line for each, in order, whatever stood before it; 2, because some are refused."""
        result = pairs(map(pair, self.vectors))
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.returncode, 2)
        lines = result.stdout.split("\n")
        self.assertEqual(lines.pop(), "")
        self.assertEqual(len(lines), len(self.vectors))
        for vector, line in zip(self.vectors, lines):
            with self.subTest(vector["name"]):
                self.assert_verdict(vector, line)

    def test_the_order_of_pairs_makes_no_difference(self):
        """Backwards, each pattern and widget follows others than in the file."""
        judged = [v for v in reversed(self.vectors) if isinstance(v["result"], bool)]
        result = pairs(map(pair, judged))
        self.assertEqual(result.returncode, 0, result.stderr)
        wrong = [v for v, line in zip(judged, result.stdout.splitlines())
                 if line != json.dumps(v["result"])]
        self.assertEqual(wrong, [])


class OnePair(unittest.TestCase):
    def assert_result(self, result, status, line):
        self.assertEqual((result.returncode, result.stdout), (status, line + "\n"), result.stderr)

    def test_the_exit_status_says_what_the_line_says(self):
        """0 for true, 1 for false."""
        pattern = '{"amount":[{"numeric":[">=",25]}]}'
        self.assert_result(match(pattern, '{"amount":3e1}'), 0, "true")
        self.assert_result(match(pattern, '{"amount":24}'), 1, "false")

    def test_a_configuration_fills_placeholders(self):
        """Without one, the parameter is missing, and the rule does not match."""
        pattern = '{"character":["${configuration.c}"]}'
        event = '{"character":"elf-42"}'
        self.assert_result(match(pattern, event, '{"c":["orc","elf-42"]}'), 0, "true")
        self.assert_result(match(pattern, event, '{"c":"orc"}'), 1, "false")
        self.assert_result(match(pattern, event), 1, "false")

    def test_kinds_is_a_member_like_any_other(self):
        """A push is narrowed outside of its payload."""
        self.assert_result(match('{"f":["x"]}', '{"f":"x","kinds":["none"]}'), 0, "true")
        self.assert_result(match('{"kinds":[{"prefix":"com."}]}', '{"kinds":"com.a"}'), 0, "true")
        self.assert_result(match('{"kinds":[1]}', '{"kinds":{"a":1}}'), 1, "false")

    def test_errors_have_code_and_path(self):
        """Exit 2, for each of the three texts."""
        for texts, start in [
            (('{"f":[{"wildCard":"*"}]}', "{}"),
             'error pattern-operator-unknown f[0].wildCard: there is no operator wildCard; '
             'write {"wildcard": …}'),
            (('{"o":{"f":"x"}}', "{}"), 'error pattern-scalar o.f: '),
            (('{"f":[1]}', "[]"), "error payload-not-object: "),
            (('{"f":[1]}', "{}", '{"p":null}'), "error configuration-invalid p: "),
        ]:
            with self.subTest(texts):
                result = match(*texts)
                self.assertEqual(result.returncode, 2)
                self.assertTrue(result.stdout.startswith(start), result.stdout)
                self.assertEqual(result.stdout.count("\n"), 1)


class Pairs(unittest.TestCase):
    def test_a_file_of_pairs(self):
        """0 if all could be judged, also if none matches."""
        with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
            file.write('{"f":["é"]}\t{"f":"e"}\n{"f":["é"]}\t{"f":"\\u00e9"}\t{}')
            file.flush()
            result = command("match", "--pairs", file.name)
        self.assertEqual(result.stdout, "false\ntrue\n", result.stderr)
        self.assertEqual(result.returncode, 0)

    def test_a_line_that_is_no_pair_gets_a_line(self):
        """So that lines of input and output correspond; those after it are judged."""
        result = pairs(['{"f":[1]}', "", "a\tb\tc\td", '{"f":[1]}\t{"f":1}'])
        self.assertEqual(result.returncode, 2)
        lines = result.stdout.splitlines()
        self.assertEqual([line.split(":")[0] for line in lines],
                         ["error pair-fields"] * 3 + ["true"])

    def test_names_with_line_ends_do_not_break_lines(self):
        """Control characters of a path are written as JSON would."""
        result = pairs(['{"a\\n\\u0085b":1}\t{}'])
        self.assertTrue(result.stdout.startswith("error pattern-scalar a\\u000a\\u0085b: "),
                        result.stdout)

    def test_what_is_not_utf_8_is_refused(self):
        """Bytes that no JSON file of vectors can hold."""
        with tempfile.NamedTemporaryFile("wb", suffix=".tsv") as file:
            file.write(b'{"f":["\xff"]}\t{}\n{"f":["x"]}\t{"f":"\xc3"}\n')
            file.flush()
            result = command("match", "--pairs", file.name)
        codes = [line.split(":")[0] for line in result.stdout.splitlines()]
        self.assertEqual(codes, ["error pattern-not-utf8", "error payload-not-utf8"])

    def test_options_that_do_not_go_together(self):
        """Neither half a pair nor both ways at once."""
        for arguments in [(), ("--pattern", "{}"), ("--pairs", "-", "--event", "{}")]:
            with self.subTest(arguments):
                result = command("match", *arguments, input="")
                self.assertNotIn(result.returncode, (0, 1, 2))
                self.assertIn("--pairs", result.stderr)

    def test_a_file_that_cannot_be_read_is_named(self):
        """And nothing is printed as a verdict."""
        result = command("match", "--pairs", "/no/such/file")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("/no/such/file", result.stderr)
        self.assertEqual(result.stdout, "")


class CheckedRules(unittest.TestCase):
    def test_check_names_the_rule_and_the_code(self):
        """The path in the app file, the pattern's code, and what would be right."""
        text = json.dumps({"apps": [{"app": "a", "kinds": [
            {"kind": "good", "match": {"f": [{"anything-but": "x"}]}},
            {"kind": "bad", "match": {"o": {"f": [{"anythingBut": "x"}]}}}]}]}, indent=1)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(text)
            file.flush()
            result = command("check", "--apps", file.name)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"line \d+, column \d+, "
                         r"apps\[0\]\.kinds\[1\]\.match\.o\.f\[0\]\.anythingBut \(app a, kind bad\): "
                         r"pattern-operator-unknown: .*write {\"anything-but\": …}")

    def test_check_warns_of_what_can_have_no_effect(self):
        """And the file is good; so does match, whose answer stays what it is."""
        text = json.dumps({"apps": [{"app": "a", "kinds": [
            {"kind": "good", "match": {"f": [{"regexp": "[^a]b"}]}, "observes": ["f"]},
            {"kind": "k", "match": {"f": [{"regexp": "(^a|b)"}]}, "observes": ["$.m.score"]}]}]})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(text)
            file.flush()
            result = command("check", "--apps", file.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertTrue(lines[0].startswith(f"{file.name}: warning: a, kind k: f: in the regular"), lines)
        self.assertTrue(lines[1].startswith(f'{file.name}: warning: a, kind k: observes has "$.m.sc'), lines)
        result = command("match", "--pattern", '{"f":[{"regexp":"^a$"}]}', "--event", '{"f":"a"}')
        self.assertEqual((result.returncode, result.stdout), (1, "false\n"))
        self.assertIn("no anchors", result.stderr)


class EventBridge(unittest.TestCase):
    """What Amazon EventBridge answers is answered here too, or the page says where not."""

    def setUp(self):
        lines = (pathlib.Path(__file__).with_name("eventbridge.tsv")).read_text(encoding="utf-8").splitlines()
        self.rows = [line.split("\t") for line in lines if not line.startswith("#")]

    def test_answers(self):
        self.assertEqual(len(self.rows), 155)
        result = pairs("\t".join(row[3:]) for row in self.rows)
        lines = result.stdout.splitlines()
        self.assertEqual(len(lines), len(self.rows))
        for (name, service, here, *_), line in zip(self.rows, lines):
            with self.subTest(name):
                self.assertEqual(line.split(" ")[0], service if here == "same" else here, line)
        self.assertEqual(sum(row[2] == "same" for row in self.rows), 146)

    def test_each_rule_that_differs_is_listed(self):
        """All but one: that names with points are joined is seen in the pattern, not in the event."""
        rules = [{"Name": name, "EventPattern": pattern} for name, _, _, pattern, _ in self.rows]
        result = self.like({"Rules": [*rules, {"Name": "hourly", "ScheduleExpression": "rate(1 hour)"}]})
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        *lines, last = result.stdout.splitlines()
        self.assertRegex(last, r": rules that mean something else to EventBridge: \d+ of 155$")
        listed = {line.split(": ")[0] for line in lines}
        differing = {row[0] for row in self.rows if row[2] != "same"}
        self.assertEqual(differing - listed, {"dot joining event"})
        # What both refuse is said to be refused; what both accept, and is listed, may differ for
        # other events than those of the table.
        refused = {line.split(": ")[0] for line in lines if ": refused here (pattern-" in line}
        self.assertEqual(refused, {row[0] for row in self.rows if (row[1], row[2]) == ("error", "same")})
        for name, _, _, pattern, _ in self.rows:
            if name in listed - refused - differing:
                self.assertRegex(pattern, r"exists|anything-but|\.", name)

    def test_files(self):
        """An app file, one pattern, and what is neither."""
        match = {"a.b": ["${configuration.p}"], "f": [{"exists": True}]}
        result = self.like({"apps": [{"app": "com.a", "publishers": "open", "devices": "open", "kinds": [
            {"kind": "k", "match": match}, {"kind": "same", "match": {"f": ["x"]}}, {"kind": "all"}]}]})
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual([line.split(" ")[:4] for line in result.stdout.splitlines()[:2]],
                         [["com.a,", "kind", "k:", "a.b:"], ["com.a,", "kind", "k:", "f[0].exists:"]])
        self.assertTrue(result.stdout.endswith(" EventBridge: 1 of 2\n"))
        result = self.like({"f": [{"prefix": "x"}]})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(result.stdout.endswith(" EventBridge: 0 of 1\n"))
        for text, sentence in [({"f": 1}, "must stand in a list"), ({"apps": [{}]}, "no member app"),
                               ([1], "object")]:
            result = self.like(text)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(sentence, result.stderr)
        self.assertEqual(command("match", "--like", "eventbridge", "/no/such/file").returncode, 2)
        for flags in [["--like", "eventbridge"], ["file"], ["--like", "sqs", "file"],
                      ["--like", "eventbridge", "file", "--pairs", "-"]]:
            self.assertEqual(command("match", *flags).returncode, 64, flags)

    def like(self, value):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(value, file)
            file.flush()
            return command("match", "--like", "eventbridge", file.name)


if __name__ == "__main__":
    unittest.main()
