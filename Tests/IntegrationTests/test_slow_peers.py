"""Peers that say nothing, say it slowly, or never listen."""

import os
import signal
import unittest

from admin import metrics
from bystander import BystanderCase
from support import *

FULL = os.environ.get("RELOAD_ROUTER_FULL") == "1"


def long_name(number):
    """An identifier of the full 128 bytes, so that a RELOAD is large."""
    return f"{number:06}" + "x" * 122


class Silence(BystanderCase):
    def test_thousands_of_silent_connections_keep_no_others_out(self):
        """2,000 (10,000 with RELOAD_ROUTER_FULL=1) that say nothing, while others come and go."""
        count = 10_000 if FULL else 2_000
        if raise_descriptor_limit() < count + 500:
            self.skipTest(f"needs {count + 500} file descriptors")
        for number in range(count):
            self.connect()
            if number % 500 == 0:
                self.check_bystander()
                self.publisher(f"comer-{number}").barrier()
        self.device("late", widget("w", character="elf-42")).reloads()
        self.assertEqual(self.caller.pushed(HEALING), 1)

    def test_a_silent_connection_is_ended_after_the_hello_timeout(self):
        """hello-timeout, with or without a part of a HELLO."""
        router = self.start("--hello-timeout", 0.3)
        silent, partial = self.connect(router), self.connect(router)
        partial.send_raw(frame(HELLO, 0, {})[:9])
        self.assert_ends(silent, "hello-timeout")
        self.assert_ends(partial, "hello-timeout")

    def test_beyond_the_limit_the_oldest_silent_connection_makes_room(self):
        """max-awaiting-hello: the newest stay, and sessions are never chosen."""
        router = self.start("--max-awaiting-hello", 10)
        session = self.publisher(router=router)
        silent = [self.connect(router) for _ in range(30)]
        for client in silent[:20]:
            self.assert_ends(client, "hello-timeout")
        silent[-1].hello("device", device="d-1")
        silent[-1].expect(WELCOME)
        session.barrier()

    def test_a_crowd_that_comes_at_once_waits_and_loses_no_connection(self):
        """max-awaiting-hello: those that are there have half a second before others take their places."""
        router = self.start("--max-awaiting-hello", 20)
        # At once for the router, however long it takes here.
        router.signal(signal.SIGSTOP)
        try:
            crowd = [self.connect(router) for _ in range(80)]
            for number, client in enumerate(crowd):
                client.hello("device", device=f"d-{number}")
        finally:
            router.signal(signal.SIGCONT)
        for client in crowd:
            client.expect(WELCOME)

    def test_beyond_the_most_connections_a_silent_one_makes_room_and_else_the_new_one_goes(self):
        """max-connections: too-many-connections only when all the others are sessions."""
        router = self.start("--max-connections", 3)
        silent = self.connect(router)
        sessions = [self.device(f"d-{number}", router=router) for number in range(3)]
        self.assert_ends(silent, "hello-timeout")
        silent.close()
        for _ in range(5):
            late = self.connect(router)
            self.assert_ends(late, "too-many-connections")
            late.close()
        for session in sessions:
            session.barrier()
        sessions[0].close()
        wait_until(lambda: self.gets_in(router), "a place is free again")

    def gets_in(self, router):
        client = self.connect(router)
        try:
            client.hello("device", device="d-9")
            client.expect(WELCOME)
            return True
        except (Ended, OSError):
            return False


class Slowness(BystanderCase):
    #: Long enough for a bystander's HELLO on a slow machine.
    flags = ("--frame-timeout", 1.5, "--hello-timeout", 1.5)

    def dribble(self, client, data):
        """Sends a byte now and then, as long as the router takes it; returns the ERROR's code."""
        for byte in data:
            client.send_raw(bytes([byte]))
            try:
                found = client.next(0.1)
            except TimeoutError:
                continue
            return found.code
        self.fail("the router has waited for the whole frame")

    def test_a_frame_that_comes_a_byte_at_a_time_is_ended(self):
        """frame-timeout, however regularly the bytes come."""
        data = frame(PUSH, 1, HEALING)
        self.assertEqual(self.dribble(self.publisher("slow"), data), "frame-timeout")

    def test_a_hello_that_comes_a_byte_at_a_time_is_ended(self):
        """hello-timeout: bytes are not a sign of life before the HELLO is whole."""
        self.assertEqual(self.dribble(self.connect(), frame(HELLO, 0, {"v": 1})), "hello-timeout")

    def test_a_whole_frame_now_and_then_is_fine(self):
        """The time-outs do not touch a session that sends whole frames and rests between them."""
        publisher = self.publisher("resting")
        for _ in range(4):
            resting = now_ms() + 500
            publisher.pushed(HEALING)
            wait_until(lambda: now_ms() > resting, "the rest")
        publisher.pushed(HEALING)


class StalledCase(RouterCase):
    devices = 1_000

    def stalled_gateway(self, first=0):
        """A gateway with many devices, from this number on, that does not read on."""
        gateway = self.gateway(receive_buffer=4_096)
        for number in range(first, first + self.devices):
            seq = gateway.send(WIDGETS, {"device": long_name(number), "widgets": [
                widget(long_name(0), character="elf-42")]})
            if number % 50 == 49:
                while gateway.expect(ACK).seq < seq:
                    pass
        return gateway


class NotReading(BystanderCase, StalledCase):
    flags = ("--max-body", 4096, "--output-limit", 16_384)

    def test_a_gateway_that_never_reads_costs_bounded_memory_and_coalesces(self):
        """80 rounds for 1,000 devices (32 MB of RELOADs) wait as one RELOAD for each device."""
        gateway = self.stalled_gateway()
        publisher = self.publisher("filler")
        self.assertEqual(publisher.pushed(HEALING), self.devices)
        before = self.router.resident
        for _ in range(80):
            self.assertEqual(publisher.pushed(HEALING), self.devices)
        growth = self.router.resident - before
        self.assertLess(growth, 12 << 20, f"resident memory grew by {growth >> 10} KiB")
        self.check_bystander()
        # A RELOAD numbered now: what the gateway gets above it was decided when it read again.
        probe = self.device("probe", widget("w", PARTY, member="probe"))
        publisher.pushed({"character": "probe"})
        mark = probe.expect(RELOAD).seq
        counts, total = {}, 0
        while len(counts) < self.devices:
            found = gateway.expect(RELOAD)
            total += 1
            if found.seq > mark:
                name = found.json["device"]
                counts[name] = counts.get(name, 0) + 1
        gateway.barrier()
        self.assertEqual([f for f in gateway.kept if f.type == RELOAD], [])
        self.assertEqual(set(counts.values()), {1})
        self.assertLess(total, 40 * self.devices)
        publisher.pushed(HEALING)
        self.assertEqual(len(gateway.reloads()), self.devices)

    def test_a_peer_that_asks_on_and_on_and_never_reads_is_not_read_from(self):
        """Answers pile up in a bounded queue; then the router stops reading that peer."""
        deaf = self.device("deaf", receive_buffer=4_096)
        questions = frame(PING, 7) * 4_000
        before = self.router.resident
        deaf.socket.settimeout(0.5)
        sent = 0
        try:
            while sent < 64 << 20:
                sent += deaf.socket.send(questions)
        except TimeoutError:
            pass
        self.assertLess(sent, 64 << 20, "the router reads on and on")
        self.check_bystander()
        self.assertLess(self.router.resident - before, 12 << 20)
        answers = 0
        while answers < sent // 16:
            self.assertEqual(deaf.expect(PONG).seq, 7)
            answers += 1


class Held(StalledCase):
    flags = ("--admin", "127.0.0.1:0")
    devices = 200

    def held(self):
        """Resident bytes without the router's tables, and what the metric says that output takes."""
        found = metrics(self.router)
        tables = sum(value for name, value in found.items()
                     if name.startswith("memory_bytes{") and '"resident"' not in name)
        return found['memory_bytes{part="resident"}'] - tables, found["output_bytes"]

    def test_what_gateways_do_not_read_takes_what_the_metric_says(self):
        """Within a fifth, and 8 MiB that a router needs once, such as memory for the frames of a tick."""
        for number in range(20):
            self.stalled_gateway(number * self.devices)
        publisher = self.publisher("filler")
        before, _ = self.held()
        for _ in range(80):
            publisher.pushed(HEALING)
        after, said = self.held()
        self.assertGreater(said, 12 << 20)
        self.assertLess(after - before, 1.2 * said + (8 << 20))
        self.assertGreater(after - before, 0.8 * said)


if __name__ == "__main__":
    unittest.main()
