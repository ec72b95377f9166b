"""TLS between real clients and the real router: OpenSSL in Python here, the commands' own there."""

import contextlib
import os
import pathlib
import random
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

import openssl_peer
from bystander import BystanderCase
from support import *


class Certificates:
    """Certificates as `cert new` makes them, in a folder that is deleted at the end."""

    def __init__(self, case):
        found = tempfile.TemporaryDirectory(prefix="reload-router-certificates-")
        case.addCleanup(found.cleanup)
        self.folder = pathlib.Path(found.name)
        self.make()

    def make(self, *names, to="."):
        folder = self.folder / to
        if to != "." and not folder.exists():
            folder.mkdir()
            for name in ("ca.pem", "ca-key.pem"):
                (folder / name).write_bytes((self.folder / name).read_bytes())
                (folder / name).chmod(0o600)
        done = command("cert", "new", "--out", folder, *names)
        assert done.returncode == 0, done.stderr
        return folder

    def path(self, name):
        return str(self.folder / name)

    @property
    def flags(self):
        return ("--cert", self.path("cert.pem"), "--key", self.path("key.pem"))


class Security:
    """Makes TLS of sockets, as a client that trusts the authority of the certificates."""

    def __init__(self, certificates, name="localhost", protocols=("rr/1",)):
        self.context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
        self.context.set_alpn_protocols(list(protocols))
        self.name = name
        self.ticket = None

    def __call__(self, connected):
        return self.context.wrap_socket(connected, server_hostname=self.name, session=self.ticket)


class SecureCase(RouterCase):
    more_flags = ()

    def setUp(self):
        self.certificates = Certificates(self)
        self.flags = (*self.certificates.flags, *self.more_flags)
        self.security = Security(self.certificates)
        super().setUp()

    def push(self, *arguments, to=None, token=TOKENS["publisher"]):
        return command("push", "--app", APP, "--token", token, "--to", to or self.router.to,
                       *arguments, '{"character":"elf-42"}')

    def certificate_of(self, client):
        return client.socket.getpeercert(binary_form=True)


class Story(SecureCase):
    def test_pushes_arrive_and_reload(self):
        device = self.device("d", widget("w", character="elf-42"), security=self.security)
        publisher = self.publisher(security=self.security)
        self.assertEqual(publisher.socket.version(), "TLSv1.3")
        self.assertEqual(publisher.socket.selected_alpn_protocol(), "rr/1")
        for _ in range(1000):
            publisher.push({"character": "elf-42"})
        publisher.wait_acked(1000)
        self.assertEqual(set(device.reloaded()), {("d", "w")})

    def test_the_commands_speak_it(self):
        self.device("d", widget("w", character="elf-42"), security=self.security)
        done = self.push("--ca", self.certificates.path("ca.pem"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("matched 1", done.stdout)
        self.assertEqual(self.push("--insecure").returncode, 0)

    def test_both_sides_may_change_their_keys_between_frames(self):
        device = self.device("d", widget("w", character="elf-42"), security=openssl_peer.Peer)
        publisher = self.publisher(security=openssl_peer.Peer)
        for number in range(60):
            kind = openssl_peer.REQUESTED if number % 2 else openssl_peer.NOT_REQUESTED
            for client in (device, publisher):
                client.socket.send_bytes(client.socket.ask_for_keys(kind, 1 + number % 4))
            publisher.pushed({"character": "elf-42", "number": number, "more": "x" * 20_000})
            self.assertEqual(device.reloaded(), [("d", "w")])

    def test_a_session_that_ended_is_resumed_by_its_ticket(self):
        first = self.publisher(security=self.security)
        first.pushed({"character": "none"})
        self.assertFalse(first.socket.session_reused)
        self.security.ticket = first.socket.session
        first.close()
        second = self.publisher(security=self.security)
        self.assertTrue(second.socket.session_reused)
        self.assertEqual(second.pushed({"character": "none"}), 0)

    def test_a_renewed_certificate_is_for_new_sessions_and_the_others_continue(self):
        old = self.publisher(security=self.security)
        self.security.ticket = old.socket.session
        self.certificates.make()
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("certificates read again")
        self.assertEqual(old.pushed({"character": "none"}), 0)
        new = self.publisher("other", security=Security(self.certificates))
        self.assertNotEqual(self.certificate_of(new), self.certificate_of(old))
        # The ticket is of the time before, too.
        self.assertTrue(self.publisher("third", security=self.security).socket.session_reused)

        (self.certificates.folder / "key.pem").write_text("no key")
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("certificates refused; the old ones stay")
        again = self.publisher("fourth", security=Security(self.certificates))
        self.assertEqual(self.certificate_of(again), self.certificate_of(new))

    def test_a_key_is_read_by_links_as_certbot_makes_them(self):
        folder = self.certificates.folder / "certbot"
        for name in ("archive/x", "live/x"):
            (folder / name).mkdir(parents=True)

        def renew(number):
            for name in ("cert", "key"):
                file = folder / f"archive/x/{name}{number}.pem"
                shutil.copy(self.certificates.path(f"{name}.pem"), file)
                link = folder / f"live/x/{name}.pem"
                link.unlink(missing_ok=True)
                link.symlink_to(f"../../archive/x/{name}{number}.pem")
        renew(1)
        self.flags = self.more_flags
        router = self.start("--cert", folder / "live/x/cert.pem", "--key", folder / "live/x/key.pem")
        first = self.certificate_of(self.publisher(security=self.security, router=router))
        self.certificates.make()
        renew(2)
        router.signal(signal.SIGHUP)
        router.wait_log("certificates read again")
        second = self.publisher("other", security=Security(self.certificates), router=router)
        self.assertNotEqual(self.certificate_of(second), first)
        (folder / "archive/x").chmod(0o777)
        router.signal(signal.SIGHUP)
        router.wait_log("certificates refused; the old ones stay")
        self.assertIn(f"chmod go-w {folder}/archive/x", router.log)

    def test_each_name_has_its_certificate(self):
        one = self.certificates.make("one.example", to="one")
        two = self.certificates.make("two.example", to="two")
        router = self.start("--cert", one / "cert.pem", "--key", one / "key.pem",
                            "--cert", two / "cert.pem", "--key", two / "key.pem")
        for name in ("one.example", "two.example"):
            client = self.publisher(name, router=router, security=Security(self.certificates, name))
            names = client.socket.getpeercert()["subjectAltName"]
            self.assertEqual(names, (("DNS", name),))


class Refusals(SecureCase):
    def test_clients_refuse_a_router_that_they_cannot_trust(self):
        for arguments, reason in (
            (("--tls",), "unable to get local issuer certificate"),
            (("--ca", Certificates(self).path("ca.pem")), "refused"),
        ):
            done = self.push(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn("the peer's certificate is refused", done.stderr)
            self.assertIn(reason, done.stderr)
        other = self.certificates.make("other.example", to="other")
        router = self.start("--cert", other / "cert.pem", "--key", other / "key.pem")
        done = self.push("--ca", self.certificates.path("ca.pem"), to=router.to)
        self.assertEqual(done.returncode, 2)
        self.assertIn("IP address mismatch", done.stderr)

    def test_a_client_without_tls_is_asked_to_use_it(self):
        client = self.connect()
        client.hello("publisher", producer="p")
        self.assert_ends(client, "tls-required")
        done = self.push()
        self.assertEqual(done.returncode, 2)
        self.assertIn("this port speaks TLS", done.stderr)
        self.router.wait_log("the peer does not speak TLS", 2)

    def test_a_client_with_tls_learns_that_a_port_has_none(self):
        plain = self.start()
        done = self.push("--ca", self.certificates.path("ca.pem"), to=plain.to)
        self.assertEqual(done.returncode, 2)
        self.assertIn("does not speak TLS", done.stderr)

    def test_old_versions_and_other_protocols_are_refused(self):
        old = Security(self.certificates)
        old.context.maximum_version = ssl.TLSVersion.TLSv1_2
        for _ in range(2):
            with self.assertRaises(ssl.SSLError):
                self.connect(security=old)
            with self.assertRaises(ssl.SSLError):
                self.connect(security=Security(self.certificates, protocols=["h2"]))
            # So it is with certificates that are read again.
            self.router.signal(signal.SIGHUP)
            self.router.wait_log("certificates read again")
        lenient = self.start(*self.certificates.flags, "--tls-minimum", "1.2")
        client = self.publisher(router=lenient, security=old)
        self.assertEqual(client.socket.version(), "TLSv1.2")
        self.assertEqual(client.pushed({"character": "none"}), 0)
        # A client that names no protocol is accepted.
        self.publisher(security=Security(self.certificates, protocols=[]))

    def refused(self, *flags, listen="127.0.0.1:0"):
        done = command("serve", "--listen", listen, "--apps", self.router.apps, "--store", "none", *flags)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_settings_that_would_not_protect_are_refused(self):
        self.assertIn("which other machines reach", self.refused(listen="*:0"))
        self.assertIn("each certificate has its key", self.refused("--cert", "x"))
        key, cert = self.certificates.path("key.pem"), self.certificates.path("cert.pem")
        self.assertIn("has no certificate", self.refused("--cert", key, "--key", key))
        stranger = Certificates(self).path("key.pem")
        self.assertIn("cert and key", self.refused("--cert", cert, "--key", stranger))
        self.assertIn("No such file", self.refused("--cert", cert, "--key", "/none"))
        pathlib.Path(key).chmod(0o644)
        self.assertIn(f"chmod 600 {key}", self.refused("--cert", cert, "--key", key))
        pathlib.Path(key).chmod(0o600)
        self.start("--insecure", listen="*:0")

    def test_options_that_contradict_each_other_are_refused(self):
        for arguments in (("--tls", "--plaintext"), ("--cert", "x"), ("--insecure", "--ca", "x")):
            self.assertEqual(self.push(*arguments).returncode, 64, arguments)


class Hostile(SecureCase, BystanderCase):
    """Whatever a handshake is, it costs the bystanders nothing."""

    #: Long enough for a handshake of a bystander on a slow machine.
    more_flags = ("--hello-timeout", "3")

    def setUp(self):
        # The bystanders speak TLS, too.
        real = self.session
        self.session = lambda role, **options: real(role, **{"security": self.security} | options)
        SecureCase.setUp(self)

    def greeting(self):
        """The first message of a handshake."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = Security(self.certificates).context.wrap_bio(
            incoming, outgoing, server_hostname="localhost")
        try:
            client.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return outgoing.read()

    def assert_closed(self, client, timeout=WAIT):
        client.socket.settimeout(timeout)
        try:
            while client.socket.recv(1 << 16):
                pass
        except ConnectionResetError:
            pass

    def test_a_handshake_that_stops_ends_with_the_time_for_hello(self):
        greeting = self.greeting()
        silent = [self.connect() for _ in range(300)]
        for number, client in enumerate(silent):
            client.send_raw(greeting[:number * len(greeting) // 300])
        self.check_bystander()
        for client in silent:
            self.assert_closed(client)

    def test_a_byte_at_a_time_does_not_prolong_it(self):
        client, taken = self.connect(), 0
        greeting = self.greeting()
        with contextlib.suppress(OSError):
            for byte in greeting:
                client.send_raw(bytes([byte]))
                taken += 1
                time.sleep(0.05)
        self.assert_closed(client)
        self.assertLess(taken, len(greeting), "it is closed before all of them have come")

    def test_no_greeting_is_too_large_for_it(self):
        client = self.connect()
        record = b"\x16\x03\x01\x40\x00"
        message = b"\x01\x01\xf0\x00\x03\x03" + bytes(0x3fff - 5)
        with contextlib.suppress(OSError):
            client.send_raw(record + message)
            for _ in range(16):
                client.send_raw(record + bytes(0x4000))
        self.assert_closed(client)

    def test_noise_is_refused(self):
        noise = random.Random(7)
        for number in range(200):
            client = self.connect()
            greeting = bytearray(self.greeting())
            for _ in range(1 + number % 5):
                greeting[noise.randrange(len(greeting))] = noise.randrange(256)
            with contextlib.suppress(OSError):
                client.send_raw(bytes(greeting) + noise.randbytes(number))
            client.socket.shutdown(socket.SHUT_WR)
            self.assert_closed(client)

    def test_noise_within_a_session_ends_it_alone(self):
        client = self.publisher("noisy")
        raw = socket.socket(fileno=client.socket.detach())
        self.addCleanup(raw.close)
        raw.settimeout(WAIT)
        raw.sendall(b"\x17\x03\x03\x00\x20" + bytes(32))
        while raw.recv(1 << 16):
            pass
        self.assertNotIn("TLS handshake failed", self.router.log)

    def test_renegotiation_is_refused(self):
        router = self.start(*self.certificates.flags, "--tls-minimum", "1.2")
        done = subprocess.run(
            ["openssl", "s_client", "-connect", router.to, "-tls1_2", "-CAfile",
             self.certificates.path("ca.pem")],
            input="R\n", capture_output=True, text=True, timeout=WAIT)
        self.assertRegex(done.stdout + done.stderr, "no renegotiation|alert")

    def test_keys_that_never_stop_changing_end_the_session_alone(self):
        hostile = self.publisher("hostile", security=openssl_peer.Peer)
        hostile.pushed({"character": "none"})
        for kind in (openssl_peer.NOT_REQUESTED, openssl_peer.REQUESTED):
            client = self.publisher(f"hostile-{kind}", security=openssl_peer.Peer)
            changes = client.socket.ask_for_keys(kind, 20_000)
            before = self.cpu_seconds()
            with contextlib.suppress(OSError):
                client.socket.send_bytes(changes)
            self.assertIsNone(client.expect_end())
            self.assertLess(self.cpu_seconds() - before, 0.5)
            self.check_bystander()

    def cpu_seconds(self):
        """What the router has used of a core so far."""
        fields = pathlib.Path(f"/proc/{self.router.process.pid}/stat").read_text().rpartition(") ")[2]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def test_a_peer_that_asks_for_keys_and_does_not_read_takes_no_memory(self):
        client = self.connect(receive_buffer=4_096, security=openssl_peer.Peer)
        client.hello("publisher", producer="deaf")
        client.expect(WELCOME)
        client.socket.settimeout(2)
        before, sent = self.router.resident, 0
        with contextlib.suppress(OSError):
            while sent < 64 << 20:
                # Few enough to be taken, and a PING that the router would answer.
                client.socket.send_bytes(
                    client.socket.ask_for_keys(openssl_peer.REQUESTED, 16))
                sent += 16 * 27
        self.assertLess(sent, 64 << 20, "the router takes everything")
        self.assertLess(self.router.resident - before, 32 << 20)
        self.check_bystander()

    def test_many_handshakes_at_once_delay_no_push(self):
        ended = threading.Event()
        counts = []

        def storm():
            count = 0
            while not ended.is_set():
                with contextlib.suppress(OSError):
                    Client(self.router.address, security=Security(self.certificates)).close()
                    count += 1
            counts.append(count)

        threads = [threading.Thread(target=storm) for _ in range(8)]
        for thread in threads:
            thread.start()
        for _ in range(200):
            self.check_bystander()
        ended.set()
        for thread in threads:
            thread.join()
        self.assertGreater(sum(counts), 8)


if __name__ == "__main__":
    unittest.main()
