"""The subcommand match: patterns and events as the router itself judges them."""

import json
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
                         r"apps\[0\]\.kinds\[1\]\.match\.o\.f\[0\]\.anythingBut: "
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


if __name__ == "__main__":
    unittest.main()
