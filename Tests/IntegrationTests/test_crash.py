"""Kills of the real router at random moments, shortened; and that the harness would find a loss.

    RELOAD_ROUTER_CRASH_SEED=7 RELOAD_ROUTER_CRASH_ROUNDS=500 python3 test_crash.py
"""

import os
import random
import shutil
import unittest

from admin import ask
from crash import Run, crash, flags
from crash_model import Model, Violation
from crash_tokens import Revocations
from support import APP, WELCOME, Client, now_ms

SEED = int(os.environ.get("RELOAD_ROUTER_CRASH_SEED", random.SystemRandom().randrange(1 << 32)))
ROUNDS = int(os.environ.get("RELOAD_ROUTER_CRASH_ROUNDS", 72))


class LosesStore(Run):
    """The store is deleted between two rounds."""

    def start(self):
        if self.round == 4:
            shutil.rmtree(self.store)
        super().start()


class GoesBack(Run):
    """A store is put back that was copied some rounds before."""

    def start(self):
        copy = self.folder / "copy"
        if self.round == 3:
            shutil.copytree(self.store, copy)
        if self.round == 6:
            shutil.rmtree(self.store)
            shutil.copytree(copy, self.store)
        super().start()


class Repeats(Run):
    """A foreign client repeats a push that was reloaded long ago: it has a second effect."""

    def load(self, *rest, **options):
        super().load(*rest, **options)
        producer = self.model.producers[0]
        pushes = [push for push in producer.pushes.values()
                  if push.seq <= producer.acked and not push.is_bad and push.void_at is None]
        stranger = Client(self.router.address)
        stranger.hello("publisher", producer="stranger")
        stranger.acked = stranger.seq = stranger.expect(WELCOME).json["lastSeq"]
        for push in pushes[:-100][:100]:
            stranger.pushed(push.payload)
        stranger.close()


class TakesBack(Run):
    """Somebody makes the revoked tokens good again, between two rounds."""

    def connect(self, share):
        for holder in self.holders if self.round > 4 else ():
            ask(self.router, f"/v1/apps/{APP}/revocations/{holder.name}", "DELETE")
        return super().connect(share)


class Crashes(unittest.TestCase):
    def test_what_was_acknowledged_outlives_kills(self):
        """Publishers and devices meet no broken promise, however often the router is killed."""
        done = crash(SEED, ROUNDS, flags=flags("full"))
        for count in ("acks", "reloads", "settled", "matches"):
            self.assertGreater(done[count], ROUNDS, f"seed {SEED}: hardly anything happened")
        for count in ("revocations", "refused", "welcomed"):
            self.assertGreater(done[count], ROUNDS // 2, f"seed {SEED}: hardly any token was judged")
        self.assertGreater(done["checkpoints"], ROUNDS // 6, f"seed {SEED}: hardly any checkpoint")

    def test_what_the_system_has_outlives_kills(self):
        """The same without waiting for the disk: the process is killed, not the machine."""
        crash(SEED, max(12, ROUNDS // 4), flags=flags("os"))


class Losses(unittest.TestCase):
    """What the harness is for: each of these must be found."""

    def assert_found(self, round, rounds, durability, make=Run):
        """The harness finds a broken promise in the round, and not only that the router ended."""
        found = rf"round {round}: (?!the router ended|after \d)"
        with self.assertRaisesRegex(Violation, found):
            crash(SEED, rounds, make, keeps=False, flags=flags(durability),
                  endings={"answer": 1}, patience=20)

    def test_a_router_that_acknowledges_too_early_is_found(self):
        """Without durability an answer can be out before its input is written."""
        self.assert_found(r"\d+", 200, "none")

    def test_a_store_that_was_deleted_is_found(self):
        """Publishers and devices know better where they were."""
        self.assert_found(4, 8, "os", LosesStore)

    def test_a_store_that_went_back_is_found(self):
        """An older state is whole in itself, and all the same not what was promised."""
        self.assert_found(6, 8, "os", GoesBack)

    def test_a_push_that_has_its_effect_twice_is_found(self):
        """Its reload has the number of a push that was answered."""
        self.assert_found(r"\d+", 8, "os", Repeats)

    def test_tokens_that_are_good_again_are_found(self):
        """Their revocation was answered, and is lost."""
        with self.assertRaisesRegex(Violation, r"tokens before \[[\d, ]+\] are no good; (token \d+ is good|the answer is )"):
            crash(SEED, 60, TakesBack, keeps=False, flags=flags("os"), endings={"answer": 1}, patience=20)


class Promises(unittest.TestCase):
    """What the model considers a broken promise, without a router."""

    def setUp(self):
        self.model = Model()
        self.session, self.seq = object(), 0
        self.model.registered(self.model.registering("d", {"w": ("solo-0", "hero-1")}))
        self.widget = self.model.widget("d", "w")

    def push(self, seq, hero="hero-1", producer=0, **options):
        push = self.model.producers[producer].new(seq, hero, hero, **options)
        return self.model.accepted(push)

    def reload(self, number=None, seq=None, id="w", kind="solo-0", floors={}):
        self.seq = seq or self.seq + 1
        body = {"device": "d", "kinds": [kind], "widgets": [id], "cause": "push"}
        if number:
            body["values"] = {id: {"n": number}}
        self.model.reloaded("d", self.session, self.seq, body, floors)

    def answer(self, date=None):
        order = self.model.answering(self.widget, date)
        self.model.answered(self.widget, self.seq, order, self.session, date)

    def assert_broken(self, text, act, *rest, **options):
        with self.assertRaisesRegex(Violation, text):
            act(*rest, **options)

    def test_a_push_is_owed_until_its_reload(self):
        """And only to the widgets that it surely concerned."""
        self.assertEqual(self.push(1), (1, 1))
        self.assertEqual(self.push(2, "hero-2"), (0, 0))
        self.assertIn("push 1 of", self.model.waits(self.widget))
        self.reload(1)
        self.assertIsNone(self.model.waits(self.widget))
        self.assertIn("the answer", self.model.unrest(self.widget))
        self.answer()
        self.assertIsNone(self.model.unrest(self.widget))

    def test_an_expired_push_reloads_nothing_once_all_clocks_agree(self):
        """The router's clock may be slow: a push that has just expired may still count."""
        now = now_ms()
        self.assertEqual(self.push(1, void_at=now - 1_000), (0, 0))
        self.assertEqual(self.push(2, void_at=now), (0, 1))
        self.assertEqual(self.push(3, void_at=now + 3_600_000), (1, 1))

    def test_a_reload_that_was_answered_does_not_come_again(self):
        """Until then it may, with each session."""
        self.push(1)
        self.reload(1)
        self.assert_broken("without a cause", self.reload, 1)
        self.session = object()
        self.reload(1)
        self.answer()
        self.session = object()
        self.assert_broken("without a cause", self.reload, 1)
        self.push(2)
        self.reload(2)

    def test_a_reload_names_what_is_there_and_pushes_that_were_sent(self):
        """No widget, no push, or a push about something else is no cause."""
        self.push(1, "hero-2")
        self.assert_broken("without a cause", self.reload)
        self.assert_broken("is about hero-2", self.reload, 1)
        self.assert_broken("was never sent", self.reload, 7)
        self.assert_broken("names d/w2", self.reload, id="w2")
        self.assert_broken("names d/w", self.reload, kind="solo-1")

    def test_numbers_of_reloads_rise_also_over_restarts(self):
        """For a device; and above all that the router before had used."""
        self.push(1)
        self.reload(1, seq=9)
        self.push(2)
        self.assert_broken("after 9", self.reload, 2, seq=8)
        self.model.reload_floor = 20
        self.assert_broken("got to 20", self.reload, 2, seq=20)

    def test_values_do_not_go_back_behind_what_was_acknowledged(self):
        """A session's RELOADs have at least what was acknowledged when it began."""
        self.push(1)
        self.push(2)
        floors = {self.widget.certain: dict(self.widget.certain.owed)}
        self.assert_broken("values of push 1 of 0; 2 was", self.reload, 1, floors=floors)

    def test_last_seq_stays_between_acknowledged_and_sent(self):
        """And is never that of a push that was none."""
        producer = self.model.producers[0]
        for seq in (1, 2, 3):
            producer.new(seq, "hero-1", "hero-1", is_bad=seq == 2)
        self.assert_broken("which is no push", self.model.welcomed, producer, 2)
        self.assert_broken("no more than 3", self.model.welcomed, producer, 4)
        self.assertEqual([p.seq for p in self.model.welcomed(producer, 1)], [2, 3])
        self.assert_broken("1 was acknowledged", self.model.welcomed, producer, 0)

    def test_what_is_not_acknowledged_may_have_happened_or_not(self):
        """Both configurations of a widget are possible until a later list is acknowledged."""
        self.model.registering("d", {"w": ("solo-0", "hero-2")})
        self.assertEqual(self.push(1), (0, 1))
        self.assertEqual(self.push(2, "hero-2"), (0, 1))
        self.reload(1)
        self.reload(2)
        again = self.model.registering("d", {"w": ("solo-0", "hero-2")})
        self.model.registered(again)
        self.assertEqual(self.push(3), (0, 0))
        self.assertEqual(self.push(4, "hero-2"), (1, 1))

    def test_a_revocation_that_was_answered_stays_and_the_others_may(self):
        """Until the answer, both are possible; a HELLO says which of them it is."""
        tokens = Revocations("d")
        tokens.judged(1, True)
        tokens.revoking(7)
        tokens.answered(7)
        self.assert_broken("token 6 is good", tokens.judged, 6, True)
        self.assert_broken("token 7 is refused", tokens.judged, 7, False)
        for number, is_good in ((7, True), (8, False)):
            tokens.revoking(9)
            tokens.unanswered()
            tokens.judged(8, is_good)
            self.assertEqual(tokens.possible, {number if is_good else 9})

    def test_a_revocation_is_never_made_weaker_but_taken_back(self):
        """An earlier date changes nothing."""
        tokens = Revocations("d")
        tokens.withdrawing()
        tokens.had_none()
        tokens.revoking(7)
        tokens.answered(7)
        tokens.revoking(3)
        self.assert_broken("the answer is 3", tokens.answered, 3)
        tokens.answered(7)
        tokens.withdrawing()
        self.assert_broken("the answer is that none are", tokens.had_none)
        tokens.unanswered()
        tokens.judged(1, True)
        self.assertEqual(tokens.possible, {0})

    def test_a_date_is_a_cause_when_it_has_come(self):
        """Not before; and it must lead to a reload then."""
        self.answer(now_ms() + 60_000)
        self.assert_broken("without a cause", self.reload)
        self.answer(now_ms() - 10)
        self.assertIn("its date", self.model.waits(self.widget))
        self.reload()
        self.assertIsNone(self.model.waits(self.widget))
        self.answer()
        self.assert_broken("without a cause", self.reload)

    def test_a_budget_is_not_exceeded(self):
        """Reloads that were answered have been paid for, by a router that does not forget it."""
        self.model.registered(self.model.registering("d", {"w": ("paid", "hero-1")}))
        with self.assertRaisesRegex(Violation, "21 reloads of 20"):
            for seq in range(1, 30):
                self.push(seq)
                self.reload(seq, kind="paid")
                self.answer()
        self.assertEqual(seq, 21)


if __name__ == "__main__":
    unittest.main()
