"""The session's rules: replacement, gateways, repeated reloads, liveness."""

import unittest

from support import *


class Sessions(RouterCase):
    def test_a_newer_session_of_a_producer_replaces_the_older(self):
        """The older gets session-replaced; the newer continues from lastSeq."""
        older = self.publisher()
        older.pushed(HEALING)
        newer = self.publisher()
        self.assert_ends(older, "session-replaced")
        self.assertEqual(newer.welcome["lastSeq"], 1)
        newer.pushed(HEALING)

    def test_a_newer_session_of_a_device_replaces_the_older(self):
        """The older gets session-replaced; reloads go to the newer."""
        older = self.device("d-1", widget("w1", character="elf-42"))
        newer = self.device("d-1")
        self.assert_ends(older, "session-replaced")
        self.publisher().pushed(HEALING)
        self.assertEqual(newer.reloaded(), [("d-1", "w1")])

    def test_a_newer_session_of_a_device_without_widgets_replaces_the_older(self):
        """The rule holds before the device has registered anything."""
        older = self.device("d-1")
        self.device("d-1")
        self.assert_ends(older, "session-replaced")

    def test_sessions_of_the_same_name_in_different_apps_or_roles_live_side_by_side(self):
        """Names are the app's and the role's own."""
        clients = [self.publisher("x"), self.publisher("x", app="com.other"), self.device("x"),
                   self.session("device", device="x", app="com.other")]
        for client in clients:
            client.barrier()

    def test_a_gateway_takes_a_device_over_by_speaking_for_it(self):
        """Any frame of a gateway moves the device's reloads there, and the one that loses it is informed."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        first, second = self.gateway(), self.gateway()
        seq = first.send(WIDGETS, {"device": "d-1", "widgets": []})
        self.assert_refused(first, seq, "device-attached")
        device.close()
        wait_until(lambda: self.takes(first), "the device's session has ended")
        publisher = self.publisher()
        publisher.pushed(HEALING)
        self.assertEqual(second.reloads(), [])
        first.answer(first.reloads()[0])
        second.request(STATE, {"device": "d-1", "foreground": True})
        self.assertEqual(first.expect(DETACHED).json, {"device": "d-1", "reason": "gateway"})
        publisher.pushed(HEALING)
        self.assertEqual(second.reloaded(), [("d-1", "w1")])
        self.assertEqual(first.reloads(), [])
        self.device("d-1")
        self.assertEqual(second.expect(DETACHED).json, {"device": "d-1", "reason": "session"})

    def test_a_gateway_attaches_many_devices_with_one_frame(self):
        """What they are owed follows, also after a crash; unknown devices are named."""
        gateway = self.gateway()
        for number in range(300):
            gateway.register(widget("w", character="elf-42"), device=f"d-{number}")
        self.publisher().pushed(HEALING)
        self.assertEqual(len(gateway.reloads()), 300)
        gateway.close()
        again = self.gateway()
        seq = again.send(ATTACH, {"devices": [f"d-{number}" for number in range(301)]})
        answer = again.expect(ATTACHED)
        self.assertEqual((answer.seq, answer.json), (seq, {"attached": 300, "unknown": ["d-300"]}))
        self.assertEqual(len(again.reloads()), 300)

    def takes(self, gateway):
        """Whether the router lets the gateway speak for the device."""
        gateway.send(WIDGETS, {"device": "d-1", "widgets": [widget("w1", character="elf-42")]})
        return gateway.expect(ACK, REJECT).type == ACK

    def test_a_gateway_that_answers_for_another_is_not_sent_the_same_reload(self):
        """A TIMELINE that names the RELOAD settles it, whichever gateway it comes from."""
        first, second = self.gateway(), self.gateway()
        first.register(widget("w1", character="elf-42"), device="d-1")
        self.publisher().pushed(HEALING)
        second.answer(first.reloads()[0])
        self.assertEqual(second.reloads(), [])

    def test_a_gateway_speaks_for_many_devices(self):
        """One connection, many devices: one RELOAD for each device that matches."""
        gateway = self.gateway()
        for number in range(40):
            hero = "elf-42" if number % 4 == 0 else f"orc-{number}"
            gateway.register(widget("w", character=hero), device=f"d-{number:02}")
        self.assertEqual(self.publisher().pushed(HEALING), 10)
        expected = [(f"d-{n:02}", "w") for n in range(0, 40, 4)]
        self.assertEqual(gateway.reloaded(), expected)

    def test_reload_numbers_rise_and_are_never_used_by_two_sessions(self):
        """One counter for the whole router."""
        one = self.device("d-1", widget("w", character="elf-42"))
        two = self.device("d-2", widget("w", character="elf-42"))
        publisher = self.publisher()
        for _ in range(5):
            publisher.pushed(HEALING)
        first, second = [[r.seq for r in d.reloads()] for d in (one, two)]
        self.assertEqual(first, sorted(set(first)))
        self.assertEqual(second, sorted(set(second)))
        self.assertFalse(set(first) & set(second))


class Repetition(RouterCase):
    def reconnected(self, device):
        device.close()
        return self.device("d-1")

    def test_a_reload_is_repeated_after_each_reconnect_until_a_timeline_names_it(self):
        """With a new number every time; a timeline that names none answers nothing."""
        device = self.device("d-1", widget("w1", character="elf-42"), widget("w2", BOARD))
        self.publisher().pushed(HEALING)
        seen = [device.expect(RELOAD)]
        for _ in range(2):
            device = self.reconnected(device)
            seen.append(device.expect(RELOAD))
            self.assertEqual(device.reloads(), [])
        self.assertEqual([r.json["widgets"] for r in seen], [["w1"]] * 3)
        self.assertEqual(len({r.seq for r in seen}), 3)
        device.request(TIMELINE, {"device": "d-1", "widget": "w1", "entries": [],
                                  "policy": "never"})
        device = self.reconnected(device)
        device.answer(device.expect(RELOAD))
        device = self.reconnected(device)
        self.assertEqual(device.reloads(), [])

    def test_each_widget_is_answered_by_itself(self):
        """A RELOAD that names two widgets is owed to the one whose timeline has not come."""
        device = self.device("d-1", widget("w1", character="elf-42"),
                             widget("w2", character="elf-42"))
        self.publisher().pushed(HEALING)
        device.answer(device.expect(RELOAD), "w1")
        self.assertEqual(self.reconnected(device).reloaded(), [("d-1", "w2")])

    def test_an_answer_to_an_older_reload_leaves_the_newer_owed(self):
        """Only naming the latest RELOAD of the widget settles it."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        publisher = self.publisher()
        publisher.pushed(HEALING)
        first = device.expect(RELOAD)
        publisher.pushed(HEALING)
        device.expect(RELOAD)
        device.answer(first)
        self.assertEqual(self.reconnected(device).reloaded(), [("d-1", "w1")])

    def test_pushes_while_the_device_is_away_coalesce_into_one_reload(self):
        """What happened while it was gone comes as one RELOAD when it is back."""
        self.device("d-1", widget("w1", character="elf-42"),
                    widget("w2", PARTY, member="elf-42")).close()
        publisher = self.publisher()
        for _ in range(10):
            self.assertEqual(publisher.pushed(HEALING), 2)
        reloads = self.device("d-1").reloads()
        self.assertEqual(len(reloads), 1)
        self.assertEqual(sorted(reloads[0].json["widgets"]), ["w1", "w2"])

    def test_a_device_answers_a_reload_with_a_timeline_and_not_with_an_ack(self):
        """ACK is the router's."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        self.publisher().pushed(HEALING)
        device.send(ACK, seq=device.expect(RELOAD).seq)
        self.assert_ends(device, "frame-unexpected")


class Liveness(RouterCase):
    #: Long enough for the test to answer on a slow machine, too.
    flags = ("--ping-interval", 1)

    def test_a_ping_is_answered_with_its_number(self):
        """Also before any push, and for every role."""
        for client in (self.publisher(), self.device("d-1"), self.gateway()):
            client.send(PING, seq=2**63 + 7)
            self.assertEqual(client.expect(PONG).seq, 2**63 + 7)

    def test_a_half_open_peer_is_found(self):
        """Two PINGs without an answer end the session with ping-timeout."""
        device = self.device("d-1", router=self.start("--ping-interval", 0.2))
        device.answers_pings = False
        self.assert_ends(device, "ping-timeout")
        self.assertEqual([f.type for f in device.kept], [PING, PING])

    def test_a_peer_that_answers_stays(self):
        """PONG is a sign of life: the session outlives many intervals."""
        device = self.device("d-1", widget("w1", character="elf-42"))
        device.answers_pings = False
        for _ in range(4):
            ping = device.expect(PING)
            device.send_raw(frame(PONG, ping.seq))
        device.answers_pings = True
        self.publisher().pushed(HEALING)
        self.assertEqual(device.reloaded(), [("d-1", "w1")])


if __name__ == "__main__":
    unittest.main()
