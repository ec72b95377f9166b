"""What became of a push: over the push protocol, over HTTP, and as `reload-router push` prints it."""

import json
import re
import time
import unittest

from admin import ask
from support import *

STOCK = "com.mygame.stock"
SPACED = {"apps": [{"app": APP, **ACCESS, "kinds": [
    {"kind": DETAIL, "match": {"character": ["${configuration.character}"]}},
    {"kind": PARTY, **ANY_TIME, "observes": ["hp"],
     "match": {"character": ["${configuration.member}"]}},
    {"kind": STOCK, **ANY_TIME, "newest": "at", "match": {"stock": ["${configuration.stock}"]}},
    {"kind": DRAGON, **ANY_TIME,
     "match": {"event": ["dragon"], "region": ["${configuration.region}"]}},
]}]}
PATH = f"/v1/pushes?app={APP}"


class OutcomeCase(RouterCase):
    def setUp(self):
        self.clients = []
        self.routers = []
        self.addCleanup(self.put_away)
        self.router = self.start("--admin", "127.0.0.1:0", apps=SPACED)

    def asker(self, producer="shard-7"):
        return self.publisher(producer, outcomes=True)

    def outcome(self, publisher, payload, **options):
        """Pushes; returns the OUTCOME, which comes before the ACK."""
        seq = publisher.push(payload, **options)
        found = publisher.expect(OUTCOME, ACK)
        self.assertEqual((found.type, found.seq), (OUTCOME, seq), found)
        self.assertEqual(publisher.wait_acked(seq), found.json["matched"])
        return found.json

    def posted(self, payload):
        answer = ask(self.router, PATH, "POST", json.dumps(payload).encode())
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json["outcome"]

    def push(self, *more, **options):
        result = command("push", "--to", self.router.to, "--app", APP, "--token",
                         TOKENS["publisher"], *more, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.splitlines()


class OverTheProtocol(OutcomeCase):
    def test_three_pushes_are_sent_put_off_and_joined(self):
        """The device prints one reload; the publisher learns when the second one comes, and why."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        publisher = self.asker()
        first = self.outcome(publisher, HEALING)
        named = {"device": "d-1", "widget": "w1", "kind": DETAIL}
        self.assertEqual(first, {"matched": 1, "counts": {"sent": 1},
                                 "widgets": [named | {"outcome": "sent"}]})
        began = now_ms()
        second = self.outcome(publisher, HEALING)
        self.assertEqual(second["counts"], {"spacing": 1})
        until = second["widgets"][0]["until"]
        self.assertLess(abs(until - began - 300_000), 10_000)
        self.assertEqual(second["widgets"][0]["why"], "a widget's reloads are 5 min apart")
        third = self.outcome(publisher, HEALING)
        self.assertEqual(third["counts"], {"coalesced": 1})
        self.assertEqual(third["widgets"][0]["joins"], "spacing")
        self.assertLess(abs(third["widgets"][0]["until"] - until), 100)
        self.assertEqual(device.reloaded(), [("d-1", "w1")])

    def test_a_push_that_is_older_than_another_is_outdated(self):
        """In OUTCOME, over HTTP, in an explanation and in what `push` prints."""
        device = self.device("d-1", widget("s", STOCK, stock="gem"))
        publisher = self.asker()
        self.assertEqual(self.outcome(publisher, {"stock": "gem", "at": 9})["counts"], {"sent": 1})
        late = {"stock": "gem", "at": 8}
        found = self.outcome(publisher, late)
        self.assertEqual((found["matched"], found["counts"]), (1, {"outdated": 1}))
        self.assertEqual(found["widgets"][0]["why"], "the push is older than another one by at")
        self.assertEqual(self.posted(late)["counts"], {"outdated": 1})
        explained = ask(self.router, "/v1/explain", "POST", json.dumps({"app": APP, "payload": late}).encode()).json
        self.assertEqual([each["outcome"] for each in explained["widgets"]], ["outdated"])
        self.assertIn("no reload (outdated: the push is older than another one by at)", self.push(json.dumps(late))[0])
        self.assertEqual(device.reloaded(), [("d-1", "s")])

    def test_unchanged_offline_and_expired_are_said(self):
        """Each is a count, and the reason of the widget that is named."""
        device = self.device("d-1", widget("p", PARTY, member="elf-42"))
        publisher = self.asker()
        hurt = {"character": "elf-42", "hp": 30}
        self.assertEqual(self.outcome(publisher, hurt)["counts"], {"sent": 1})
        again = self.outcome(publisher, hurt)
        self.assertEqual(again["counts"], {"unchanged": 1})
        self.assertEqual(again["widgets"][0]["why"], "hp is as before")
        late = self.outcome(publisher, hurt | {"hp": 1}, void_at=now_ms() - 1)
        self.assertEqual((late["matched"], late["counts"]), (0, {"expired": 1}))
        device.close()
        views = f"/v1/apps/{APP}/devices/d-1"
        wait_until(lambda: not ask(self.router, views).json["isOnline"], "it is offline")
        self.assertEqual(self.outcome(publisher, hurt | {"hp": 2})["counts"], {"offline": 1})

    def test_a_push_that_matches_nothing_is_compared_with_the_nearest_widget(self):
        """With the first condition that fails; without widgets, that there are none."""
        publisher = self.asker()
        none = self.outcome(publisher, HEALING)
        self.assertEqual(none, {"matched": 0, "counts": {}, "widgets": [], "registered": 0})
        self.device("d-1", widget("w1", character="elf-42"), widget("w2", DRAGON, region="north"))
        miss = self.outcome(publisher, {"event": "dragon", "region": "south"})
        self.assertEqual(miss["registered"], 2)
        nearest = miss["nearest"]
        self.assertEqual((nearest["device"], nearest["widget"], nearest["field"]),
                         ("d-1", "w2", "region"))
        self.assertIn('the push has "south"', nearest["text"])

    def test_a_repeated_push_is_named_as_such(self):
        """It has no effect, and says so instead of matching nothing."""
        self.device("d-1", widget("w1", character="elf-42"))
        publisher = self.asker()
        self.outcome(publisher, HEALING)
        publisher.close()
        self.assertTrue(self.outcome(self.asker(), HEALING, seq=1)["duplicate"])

    def test_a_pause_is_announced_and_ended(self):
        """The publisher of a paused app learns why nothing is answered."""
        publisher = self.asker()
        ask(self.router, f"/v1/apps/{APP}/pause", "POST")
        self.assertEqual(publisher.expect(OUTCOME).json, {"paused": True})
        seq = publisher.push(HEALING)
        ask(self.router, f"/v1/apps/{APP}/resume", "POST")
        self.assertEqual(publisher.expect(OUTCOME).json, {"paused": False})
        self.assertEqual(publisher.expect(OUTCOME).seq, seq)

    def test_publishers_that_do_not_ask_get_only_acks(self):
        """An unknown frame would end the session of an older client."""
        self.device("d-1", widget("w1", character="elf-42"))
        publisher = self.publisher()
        publisher.pushed(HEALING)
        publisher.pushed({})
        publisher.barrier()
        self.assertEqual([found for found in publisher.kept if found.type == OUTCOME], [])

    def test_many_pipelined_pushes_get_one_outcome_each(self):
        """In order, and none is lost while the publisher does not read."""
        self.device("d-1", *(widget(f"w{n}", PARTY, member="elf-42") for n in range(3)))
        publisher = self.asker()
        count = 5_000
        publisher.send_raw(b"".join(
            frame(PUSH, n, {"character": "elf-42", "hp": n}) for n in range(1, count + 1)))
        seqs = []
        while len(seqs) < count:
            found = publisher.expect(OUTCOME)
            seqs.append(found.seq)
            self.assertEqual(found.json["matched"], 3)
        self.assertEqual(seqs, list(range(1, count + 1)))


class OverHTTP(OutcomeCase):
    def test_the_answer_says_what_became_of_the_push(self):
        """Sent, put off, joined; and the counts of many lines are summed up."""
        self.device("d-1", widget("w1", character="elf-42"))
        self.assertEqual(self.posted(HEALING)["counts"], {"sent": 1})
        second = self.posted(HEALING)
        self.assertEqual(second["counts"], {"spacing": 1})
        self.assertIn("until", second["widgets"][0])
        lines = b"\n".join(json.dumps(push).encode() for push in (HEALING, HEALING, {"no": 1}))
        answer = ask(self.router, PATH, "POST", lines, {"Content-Type": "application/x-ndjson"})
        outcome = answer.json["outcome"]
        self.assertEqual((answer.status, outcome["counts"], outcome["missed"]),
                         (200, {"coalesced": 2}, 1))
        self.assertEqual(outcome["nearest"]["field"], "character")


class Printed(OutcomeCase):
    def test_the_second_push_says_when_and_why(self):
        """In words, with the local time; the last line stays the summary."""
        self.device("d-1", widget("w1", character="elf-42"))
        lines = self.push(json.dumps(HEALING))
        self.assertEqual(lines[0], "seq 1: matched 1 · sent: w1 on d-1")
        self.assertRegex(lines[1], "^sent 1, accepted 1")
        lines = self.push(json.dumps(HEALING), env={"TZ": "UTC"})
        pattern = (r"^seq 2: matched 1 · put off until (\d\d:\d\d:\d\d) "
                   r"\(spacing: a widget's reloads are 5 min apart\): w1 on d-1$")
        self.assertRegex(lines[0], pattern)
        clock = time.strptime(re.match(pattern, lines[0])[1], "%H:%M:%S")
        second = (clock.tm_hour * 60 + clock.tm_min) * 60 + clock.tm_sec
        self.assertLess(abs((second - time.time()) % 86_400 - 300), 60)
        third = self.push(json.dumps(HEALING))[0]
        self.assertRegex(third, r"^seq 3: matched 1 · joined the reload put off until \d\d:")

    def test_a_push_that_matches_nothing_says_what_it_missed(self):
        """No widget at all, or the nearest one's first failing condition."""
        self.assertEqual(self.push(json.dumps(HEALING))[0],
                         "seq 1: matched no widget: the app has no registered widget")
        self.device("d-1", widget("w1", character="elf-42"))
        line = self.push(json.dumps({"character": "orc-7"}))[0]
        self.assertRegex(line, r"^seq 2: did not match the app's only widget, w1 on d-1 \(.*\): "
                               r'character: the push has "orc-7", the rule wants .*"elf-42"')

    def test_lines_of_a_stream_are_reported_on_request(self):
        """Each push of a stream has its own line with --outcomes, and none without."""
        self.device("d-1", widget("w1", character="elf-42"))
        lines = json.dumps(HEALING) + "\n" + json.dumps(HEALING) + "\n"
        self.assertEqual(len(self.push("-", input=lines)), 1)
        printed = self.push("-", "--outcomes", input=lines)
        self.assertEqual([line.split(":")[0] for line in printed[:2]], ["seq 3", "seq 4"])


if __name__ == "__main__":
    unittest.main()
