"""Gateways: devices are registered, reloaded and answered, also after a cut."""

from __future__ import annotations

import threading
import unittest
from typing import Any

from reloadrouter import Gateway, Limits, Rejected, Reload, RouterError

from .router import Router

WIDGETS, TIMELINE, STATE, REQUEST, ATTACH = 0x20, 0x21, 0x22, 0x23, 0x24
ACK, REJECT, RELOAD, SCHEDULED, DETACHED, ATTACHED = 0x11, 0x12, 0x30, 0x31, 0x32, 0x33
WIDGET = {"id": "w1", "kind": "k", "configuration": {"character": "elf-42"}}


class Gateways(unittest.TestCase):
    def setUp(self) -> None:
        self.router = Router()
        self.addCleanup(self.router.close)
        accepting = threading.Thread(target=self.router.accept)
        accepting.start()
        limits = Limits(first_pause=0.01, longest_pause=0.05)
        self.events: list[Any] = []
        self.gateway = Gateway(
            "127.0.0.1", self.router.port, app="a", token="t", tls=False, limits=limits, on_event=self.events.append
        ).connect(10)
        accepting.join()
        self.addCleanup(self.gateway.close)

    def register(self, *devices: str) -> None:
        for device in devices:
            answer = self.gateway.widgets(device, [WIDGET], push_token="7f3a")
            kind, seq, body = self.router.receive()
            self.assertEqual((kind, body), (WIDGETS, {"device": device, "pushToken": "7f3a", "widgets": [WIDGET]}))
            self.router.ack(seq)
            self.assertIsNone(answer.result(10))

    def test_tokens_are_sent_with_the_widgets(self) -> None:
        answer = self.gateway.widgets("d-1", [WIDGET], app_push_token="ab", environment="sandbox")
        _, seq, body = self.router.receive()
        self.assertEqual(body, {"device": "d-1", "appPushToken": "ab", "environment": "sandbox", "widgets": [WIDGET]})
        self.router.ack(seq)
        self.assertIsNone(answer.result(10))

    def test_dates_of_a_timeline_in_another_unit_are_refused(self) -> None:
        for entries, policy in (([1_795_000_000], "never"), ([], {"after": 1_795_000_000}), ([0], "atEnd")):
            with self.assertRaises(ValueError):
                self.gateway.timeline("d-1", "w1", entries, policy)

    def test_a_reload_is_answered_with_a_timeline(self) -> None:
        self.register("d-1")
        body = {"device": "d-1", "kinds": ["k"], "widgets": ["w1"], "cause": "push", "values": {"w1": {"hp": 3}}}
        self.router.send(RELOAD, 17, body)
        reload = next(self.gateway.reloads())
        self.assertEqual(reload, Reload(17, "d-1", ["k"], ["w1"], "push", {"w1": {"hp": 3}}))
        answer = self.gateway.timeline("d-1", "w1", [1795000000000], {"after": 1795003600000}, reload=reload.seq)
        kind, seq, body = self.router.receive()
        self.assertEqual(kind, TIMELINE)
        self.assertEqual(body, {"device": "d-1", "widget": "w1", "reload": 17, "entries": [1795000000000],
                                "policy": {"after": 1795003600000}})  # fmt: skip
        scheduled = {"device": "d-1", "widget": "w1", "reloadAt": 1795003600000, "slotDelay": 0}
        self.router.send(SCHEDULED, seq, scheduled)
        self.router.ack(seq)
        self.assertEqual(answer.result(10), scheduled)

    def test_state_and_requests(self) -> None:
        state, request = self.gateway.state("d-1", foreground=True, media=None), self.gateway.request("d-1", "k")
        self.assertEqual(self.router.receive(), (STATE, 1, {"device": "d-1", "foreground": True, "media": None}))
        self.assertEqual(self.router.receive(), (REQUEST, 2, {"device": "d-1", "kind": "k"}))
        self.router.ack(2)
        self.assertEqual((state.result(10), request.result(10)), (None, None))

    def test_a_rejected_frame_raises(self) -> None:
        answer = self.gateway.widgets("d-1", [WIDGET])
        self.router.send(REJECT, self.router.receive()[1], {"code": "kind-unknown", "retry": "no", "message": "…"})
        with self.assertRaises(Rejected) as caught:
            answer.result(10)
        self.assertEqual(caught.exception.code, "kind-unknown")

    def test_devices_are_attached_again_before_anything_else(self) -> None:
        self.register("d-1", "d-2")
        self.register("d-3")
        self.gateway.widgets("d-3", [])
        self.router.ack(self.router.receive()[1])
        answer = self.gateway.request("d-1")
        self.assertEqual(self.router.receive()[0], REQUEST)
        self.router.cut()
        self.router.accept()
        kind, seq, body = self.router.receive()
        self.assertEqual((kind, seq, body), (ATTACH, 1, {"devices": ["d-1", "d-2"]}))
        self.router.send(ATTACHED, 1, {"attached": 1, "unknown": ["d-2"]})
        self.router.ack(1)
        kind, seq, body = self.router.receive()
        self.assertEqual((kind, seq, body["device"]), (WIDGETS, 2, "d-2"))
        self.assertEqual(self.router.receive(), (REQUEST, 3, {"device": "d-1"}))
        self.router.ack(3)
        self.assertIsNone(answer.result(10))

    def test_a_device_that_is_lost_is_reported(self) -> None:
        iterator = self.gateway.events()
        self.router.send(DETACHED, 0, {"device": "d-1", "reason": "session"})
        event = next(iterator)
        self.assertEqual((event.name, event.device, event.code), ("detached", "d-1", "session"))

    def test_a_device_that_another_gateway_has_is_not_attached_again(self) -> None:
        self.register("d-1", "d-2", "d-3")
        for device, reason in (("d-1", "session"), ("d-2", "gateway"), ("d-3", "removed")):
            self.router.send(DETACHED, 0, {"device": device, "reason": reason})
        self.router.cut()
        self.router.accept()
        self.assertEqual(self.router.receive(), (ATTACH, 1, {"devices": ["d-1"]}))

    def test_a_refused_gateway_ends_reloads_and_answers(self) -> None:
        answer, cancelled = self.gateway.request("d-1"), self.gateway.request("d-2")
        self.router.receive(), self.router.receive()
        cancelled.cancel()
        self.router.send(0x7E, 0, {"code": "token-revoked", "retry": "no", "message": "…"})
        with self.assertRaises(RouterError):
            answer.result(10)
        self.assertEqual(list(self.gateway.reloads()), [])
        with self.assertRaises(RouterError):
            self.gateway.request("d-1")

    def test_closing_ends_reloads_and_cancels_answers(self) -> None:
        answer = self.gateway.request("d-1")
        self.router.receive()
        self.gateway.close()
        self.assertTrue(answer.cancelled())
        self.assertEqual(list(self.gateway.reloads()), [])


if __name__ == "__main__":
    unittest.main()
