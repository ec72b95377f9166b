"""HTTPS at the admin server: OpenSSL in Python here, the commands' own there."""

import contextlib
import http.client
import json
import pathlib
import re
import signal
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import time
import unittest

from admin import *
from bystander import SOON, BystanderCase
from support import *
from test_tls import Certificates, Security

TOKEN = "operator-secret-0123456789"


class SecureAdminCase(RouterCase):
    """A router whose admin server speaks TLS, at a loopback address."""

    more_flags = ()

    def setUp(self):
        self.certificates = Certificates(self)
        self.flags = (*self.certificates.flags, "--admin", "127.0.0.1:0", "--admin-tls", "on",
                      *self.more_flags)
        self.security = Security(self.certificates)
        # The bystanders speak TLS, too.
        real = self.session
        self.session = lambda role, **options: real(role, **{"security": self.security} | options)
        super().setUp()

    def context(self, certificates=None, own=None):
        """What a client begins with: the authority that it trusts, and its own certificate."""
        context = ssl.create_default_context(cafile=(certificates or self.certificates).path("ca.pem"))
        context.set_alpn_protocols(["h2", "http/1.1"])
        if own:
            context.load_cert_chain(own / "cert.pem", own / "key.pem")
        return context

    def open(self, context=None, router=None, timeout=WAIT):
        """A connection for requests, whose handshake comes with the first of them."""
        opened = http.client.HTTPSConnection(*(router or self.router).admin, timeout=timeout,
                                             context=context or self.context())
        self.addCleanup(opened.close)
        return opened

    def ask(self, path, method="GET", body=None, headers={}, opened=None, **options):
        """One request, on a connection of its own unless there is one."""
        opened = opened or self.open(**options)
        headers = {name: value for name, value in (bearer() | headers).items() if value is not None}

        def once():
            opened.request(method, path, body, headers)
            return Answer(opened.getresponse())
        return insist(once)

    def wrapped(self, context=None):
        """A socket whose handshake is complete."""
        raw = socket.create_connection(self.router.admin, timeout=WAIT)
        found = (context or self.context()).wrap_socket(raw, server_hostname="localhost")
        self.addCleanup(found.close)
        return found

    def request(self, method, path, *lines):
        """The bytes of a request's head."""
        lines = (f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {ADMIN_TOKEN}",
                 *lines)
        return "\r\n".join([*lines, "", ""]).encode()

    @property
    def url(self):
        return "https://{}:{}".format(*self.router.admin)

    def top(self, *arguments, to=None):
        return command("top", "--json", "--once", "--to", to or self.url, *arguments)

    @property
    def ca(self):
        return ("--ca", self.certificates.path("ca.pem"))


class Story(SecureAdminCase):
    def test_clients_of_http_get_their_answers(self):
        opened = self.open()
        for _ in range(20):
            self.assertEqual(self.ask("/healthz", opened=opened).status, 200)
        self.assertEqual(opened.sock.version(), "TLSv1.3")
        self.assertEqual(opened.sock.selected_alpn_protocol(), "http/1.1")
        page = self.ask("/", opened=opened)
        self.assertEqual((page.status, page.type), (200, "text/html; charset=utf-8"))
        script = re.search(r'src="([^"]+\.js)"', page.text)[1]
        self.assertEqual(self.ask(f"/{script.lstrip('/')}", opened=opened).status, 200)
        head = self.ask("/metrics", "HEAD", opened=opened)
        self.assertEqual((head.status, head.text), (200, ""))
        self.assertIn("reload_router_certificate_expiry", self.ask("/metrics", opened=opened).text)
        self.assertEqual(self.ask("/v1/status", opened=opened).json["connections"]["device"], 0)

    def test_curl_speaks_it(self):
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--cacert", self.certificates.path("ca.pem"),
             f"{self.url}/readyz"], capture_output=True, text=True, timeout=WAIT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ready", done.stdout)

    def test_the_commands_speak_it(self):
        device = self.device("d", widget("w", character="elf-42"))
        self.publisher("shard-7").pushed({"character": "none"})
        done = self.top(*self.ca)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["connections"]["device"], 1)
        self.assertEqual(self.top("--insecure").returncode, 0)
        # An address without a scheme is of another host, or asks for TLS by an option.
        plain = "{}:{}".format(*self.router.admin)
        self.assertEqual(self.top(*self.ca, to=plain).returncode, 0)
        done = command("explain", "--to", self.url, *self.ca, "--app", APP,
                       "--push", '{"character":"elf-42"}')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 matched", done.stdout)
        done = command("producers", "--to", self.url, *self.ca)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("shard-7", done.stdout)
        device.close()

    def test_events_outlive_a_renewal(self):
        opened = self.open()
        opened.request("GET", "/v1/events", headers=bearer())
        events = opened.getresponse()
        self.assertEqual(events.headers["Content-Type"], "text/event-stream")

        def next_event():
            self.assertEqual(events.readline(), b"event: status\n")
            found = json.loads(events.readline()[6:])
            self.assertEqual(events.readline(), b"\n")
            return found["at"]

        first = next_event()
        before = opened.sock.getpeercert(binary_form=True)
        self.certificates.make()
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("certificates read again")

        def is_renewed():
            other = self.wrapped()
            return other.getpeercert(binary_form=True) != before

        wait_until(is_renewed, "other certificates at the admin server")
        later = [next_event() for _ in range(3)]
        self.assertLess(first, later[0])
        # A status may be 100 ms old, and the first one may have waited for the loop.
        self.assertGreater(later[2] - later[0], 800)

        (self.certificates.folder / "key.pem").write_text("no key")
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("certificates refused; the old ones stay")
        self.assertEqual(self.ask("/healthz").status, 200)
        files = wait_until(
            lambda: (found := {one["file"]: one["refusal"] for one in self.ask("/v1/status").json["files"]})
            and found["certificates"] and found, "the refusal is said")
        self.assertIn("no private key", files.pop("certificates")["reason"])
        self.assertEqual(files, {"apps": None, "operators": None})
        next_event()

    def test_large_bodies_arrive_whole(self):
        size = 8 << 20
        opened = self.open()
        answer = self.ask("/v1/app-file/validate", "POST", b" " * size, opened=opened,
                          headers={"Content-Type": "application/json"})
        self.assertEqual(answer.problem["code"], "body-invalid")
        chunks = (b" " * 100_000 for _ in range(50))
        opened.request("POST", "/v1/app-file/validate", chunks, encode_chunked=True,
                       headers=bearer() | {"Transfer-Encoding": "chunked",
                                           "Content-Type": "application/json"})
        self.assertEqual(Answer(opened.getresponse()).problem["code"], "body-invalid")
        answer = self.ask("/v1/app-file/validate", "POST", b" " * (size + 1),
                          headers={"Content-Type": "application/json"})
        self.assertEqual((answer.status, answer.problem["code"]), (413, "body-too-large"))

    def test_the_end_is_orderly(self):
        """A drain ends the process with 0, whatever is connected."""
        silent = socket.create_connection(self.router.admin)
        self.addCleanup(silent.close)
        wrapped = self.wrapped()
        opened = self.open()
        opened.request("GET", "/v1/events", headers=bearer())
        opened.getresponse().readline()
        self.router.signal(signal.SIGTERM)
        self.assertEqual(self.router.exit_code(), 0)
        self.assertEqual(wrapped.recv(1), b"")


    def test_every_end_is_said_in_the_way_of_tls(self):
        """Whoever reads on gets the alert that nothing follows (close_notify)."""
        router = self.start(*self.flags, "--publish", "127.0.0.1:0", "--http-idle", "1")
        ping = self.request("GET", "/openapi.json")

        def opened(address):
            raw = socket.create_connection(address, timeout=WAIT)
            found = self.context().wrap_socket(raw, server_hostname="localhost", suppress_ragged_eofs=False)
            self.addCleanup(found.close)
            return found

        def asked(address, request):
            """A connection on which the answer to a request was read."""
            wrapped = opened(address)
            wrapped.sendall(request)
            answer = http.client.HTTPResponse(wrapped)
            answer.begin()
            answer.read()
            return wrapped
        for address in (router.admin, router.publish):
            for request in (self.request("GET", "/openapi.json", "Connection: close"), b"hello\r\n\r\n", ping):
                with self.subTest(address=address, request=request):
                    self.assertEqual(asked(address, request).recv(1), b"")
            with self.subTest("the client's alert is answered", address=address):
                asked(address, ping).unwrap().close()
        router = self.start(*self.flags, "--publish", "127.0.0.1:0")
        kept = [asked(address, ping) for address in (router.admin, router.publish)]
        router.signal(signal.SIGTERM)
        for wrapped in kept:
            with self.subTest("a drain"):
                self.assertEqual(wrapped.recv(1), b"")


class Refusals(SecureAdminCase):
    def test_top_refuses_a_server_that_it_cannot_trust(self):
        other = Certificates(self)
        for arguments, reason in (
            ((), "unable to get local issuer certificate"),
            (("--ca", other.path("ca.pem")), "the peer's certificate is refused"),
        ):
            done = self.top(*arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(reason, done.stderr)
        folder = self.certificates.make("other.example", to="other")
        self.router = self.start("--cert", folder / "cert.pem", "--key", folder / "key.pem",
                                 "--admin", "127.0.0.1:0", "--admin-tls", "on")
        done = self.top(*self.ca)
        self.assertEqual(done.returncode, 2)
        self.assertIn("IP address mismatch", done.stderr)

    def test_an_expired_certificate_is_refused(self):
        folder = self.certificates.make(to="expired")

        def openssl(*arguments, code=0):
            done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, timeout=WAIT)
            return done.returncode == code

        self.assertTrue(openssl("req", "-new", "-key", folder / "key.pem", "-subj", "/CN=localhost",
                                "-addext", "subjectAltName=IP:127.0.0.1", "-out", folder / "request.pem"))
        self.assertTrue(openssl("x509", "-req", "-in", folder / "request.pem", "-days", "0",
                                "-CA", self.certificates.path("ca.pem"),
                                "-CAkey", self.certificates.path("ca-key.pem"),
                                "-copy_extensions", "copyall", "-out", folder / "expired.pem"))
        wait_until(lambda: openssl("x509", "-in", folder / "expired.pem", "-checkend", "0", code=1),
                   "it has expired")
        self.router = self.start("--cert", folder / "expired.pem", "--key", folder / "key.pem",
                                 "--admin", "127.0.0.1:0", "--admin-tls", "on")
        done = self.top(*self.ca)
        self.assertEqual(done.returncode, 2)
        self.assertIn("certificate has expired", done.stderr)

    def test_a_client_without_tls_is_asked_to_use_it(self):
        plain = http.client.HTTPConnection(*self.router.admin, timeout=WAIT)
        self.addCleanup(plain.close)
        plain.request("GET", "/v1/status")
        answer = Answer(plain.getresponse())
        self.assertEqual((answer.status, answer.type), (400, "text/plain; charset=utf-8"))
        self.assertIn("This port speaks TLS: use https://", answer.text)
        self.router.wait_log("admin TLS handshake failed")
        done = self.top(to=self.url.replace("https", "http"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"speaks TLS: give --to {self.url}", done.stderr)
        done = command("explain", "--to", self.url.replace("https", "http"), "--app", APP,
                       "--push", "{}")
        self.assertIn(f"speaks TLS: give --to {self.url}", done.stderr)

    def test_a_client_with_tls_learns_that_a_port_has_none(self):
        """From the answer to its handshake: it does not wait until it gives up."""
        self.router = self.start("--admin", "127.0.0.1:0")
        done = self.top(*self.ca)
        self.assertEqual(done.returncode, 2)
        self.assertIn("speaks HTTP without TLS: give --to http://", done.stderr)

    def test_old_versions_and_other_protocols_are_refused(self):
        old = self.context()
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        with self.assertRaises(ssl.SSLError):
            self.wrapped(old)
        other = self.context()
        other.set_alpn_protocols(["h2"])
        with self.assertRaises(ssl.SSLError):
            self.wrapped(other)
        nameless = ssl.create_default_context(cafile=self.certificates.path("ca.pem"))
        self.assertEqual(self.ask("/healthz", context=nameless).status, 200)
        lenient = self.start(*self.certificates.flags, "--admin", "127.0.0.1:0", "--admin-tls", "on",
                             "--tls-minimum", "1.2")
        self.assertEqual(self.ask("/healthz", context=old, router=lenient).status, 200)

    def test_each_name_has_its_certificate(self):
        one = self.certificates.make("one.example", to="one")
        two = self.certificates.make("two.example", to="two")
        self.router = self.start("--cert", one / "cert.pem", "--key", one / "key.pem",
                                 "--cert", two / "cert.pem", "--key", two / "key.pem",
                                 "--admin", "127.0.0.1:0", "--admin-tls", "on")
        for name in ("one.example", "two.example"):
            raw = socket.create_connection(self.router.admin, timeout=WAIT)
            with self.context().wrap_socket(raw, server_hostname=name) as found:
                self.assertEqual(found.getpeercert()["subjectAltName"], (("DNS", name),))


class Clients(SecureAdminCase):
    """Certificates of clients."""

    def test_those_of_the_authority_and_none_are_accepted(self):
        """A certificate lets in the operator that is listed with its name, and no other one."""
        own = Certificates(self)
        operators = own.folder / "operators.json"
        operators.write_text(json.dumps({"operators": [
            {"name": "olga", "role": "viewer", "certificate": "dns:operator.example"}]}))
        self.router = self.start(*self.certificates.flags, "--admin", "127.0.0.1:0", "--admin-tls", "on",
                                 "--admin-client-ca", own.path("ca.pem"), "--operators", operators)
        nameless = {"Authorization": None}
        self.assertEqual(self.ask("/healthz").status, 200)
        self.assertEqual(self.ask("/v1/status", headers=nameless).status, 401)
        folder = own.make("operator.example", to="operator")
        answer = self.ask("/v1/operator", headers=nameless, context=self.context(own=folder))
        self.assertEqual(answer.json["name"], "olga")
        other = own.make("other.example", to="other")
        self.assertEqual(
            self.ask("/v1/status", headers=nameless, context=self.context(own=other)).status, 401)
        identity = ("--cert", folder / "cert.pem", "--key", folder / "key.pem")
        done = self.top(*self.ca, *identity)
        self.assertEqual(done.returncode, 0, done.stderr)
        # With TLS 1.3 a client learns of the refusal only after its own side of the handshake.
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            self.ask("/healthz", context=self.context(own=self.certificates.folder))
        self.router.wait_log("the peer's certificate is refused")
        stranger = ("--cert", self.certificates.path("cert.pem"),
                    "--key", self.certificates.path("key.pem"))
        self.assertEqual(self.top(*self.ca, *stranger).returncode, 2)

    def test_another_authority_ends_the_connections_that_the_former_one_let_in(self):
        first, second = Certificates(self), Certificates(self)
        trusted, operators = first.folder / "trusted.pem", first.folder / "operators.json"
        trusted.write_bytes((first.folder / "ca.pem").read_bytes())
        operators.write_text(json.dumps({"operators": [
            {"name": "olga", "role": "viewer", "certificate": "dns:operator.example"}]}))
        self.router = self.start(*self.certificates.flags, "--admin", "127.0.0.1:0", "--admin-tls", "on",
                                 "--admin-client-ca", trusted, "--operators", operators)
        nameless = {"Authorization": None}

        def operator(certificates):
            """A stream of events, and a connection that waits for its next request."""
            folder = certificates.folder / "operator"
            context = self.context(own=folder if folder.exists() else
                                   certificates.make("operator.example", to="operator"))
            stream, waiting = self.open(context), self.open(context)
            stream.request("GET", "/v1/events")
            events = stream.getresponse()
            self.assertEqual(events.status, 200)
            self.assertEqual(self.ask("/v1/operator", headers=nameless, opened=waiting).status, 200)
            # Without this, the client would connect again by itself.
            waiting.auto_open = 0
            return events, waiting

        def assert_ended(events, waiting):
            with contextlib.suppress(ConnectionError, ssl.SSLError, http.client.IncompleteRead):
                while events.readline():
                    pass
            with self.assertRaises((OSError, http.client.HTTPException)):
                self.ask("/v1/operator", headers=nameless, opened=waiting)

        def trust(*certificates):
            count = self.router.log.count("certificates read again")
            trusted.write_bytes(b"".join((c.folder / "ca.pem").read_bytes() for c in certificates))
            self.router.signal(signal.SIGHUP)
            self.router.wait_log("certificates read again", count + 1)

        old = operator(first)
        token = self.open()
        self.assertEqual(self.ask("/v1/status", opened=token).status, 200)
        token.auto_open = 0
        # Both at once, as authorities are replaced without a gap: all stay.
        trust(first, second)
        new = operator(second)
        self.assertTrue(old[0].readline())
        self.assertEqual(self.ask("/v1/operator", headers=nameless, opened=old[1]).status, 200)
        trust(second)
        assert_ended(*old)
        self.assertTrue(new[0].readline())
        self.assertEqual(self.ask("/v1/operator", headers=nameless, opened=new[1]).status, 200)
        # Who needs no certificate is not concerned.
        self.assertEqual(self.ask("/v1/status", opened=token).status, 200)
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            self.ask("/healthz", context=self.context(own=first.folder / "operator"))


class Settings(SecureAdminCase):
    def refused(self, *flags, status=1):
        done = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps, "--store", "none",
                       *flags)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def test_settings_that_would_not_protect_are_refused(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        token = pathlib.Path(folder.name, "token")
        token.write_text(TOKEN)
        token.chmod(0o600)
        open_admin = ("--admin", "0.0.0.0:0", "--admin-token-file", token)
        self.assertIn("give --cert FILE and --key FILE for TLS, or --insecure",
                      self.refused(*open_admin))
        self.assertIn("give --admin-tls on, or --insecure",
                      self.refused(*open_admin, *self.certificates.flags, "--admin-tls", "off"))
        local = ("--admin", "127.0.0.1:0")
        self.assertIn("there is no certificate", self.refused(*local, "--admin-tls", "on"))
        self.assertIn("must be on or off", self.refused(*local, "--admin-tls", "maybe"))
        ca = ("--admin-client-ca", self.certificates.path("ca.pem"))
        self.assertIn("--admin-tls on", self.refused(*local, *self.certificates.flags, *ca))
        secure = (*local, *self.certificates.flags, "--admin-tls", "on")
        self.assertIn("No such file", self.refused(*secure, "--admin-client-ca", "/none"))
        self.assertIn("has no certificate", self.refused(*secure, "--admin-client-ca", token))

        # Beyond loopback, certificates switch TLS on; on loopback they do not.
        self.router = self.start(*open_admin, *self.certificates.flags)
        address = ("127.0.0.1", self.router.admin[1])
        opened = http.client.HTTPSConnection(*address, timeout=WAIT, context=self.context())
        self.addCleanup(opened.close)
        self.assertEqual(self.ask("/v1/status", headers=bearer(TOKEN), opened=opened).status, 200)
        self.assertEqual(ask(self.start(*local, *self.certificates.flags), "/healthz").status, 200)
        self.start(*open_admin, "--insecure")

    def test_every_address_is_of_ipv6_and_of_ipv4(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        token = pathlib.Path(folder.name, "token")
        token.write_text(TOKEN)
        token.chmod(0o600)
        router = self.start("--admin", "*:0", "--admin-token-file", token, *self.certificates.flags)
        for host in ("127.0.0.1", "::1"):
            opened = http.client.HTTPSConnection(host, router.admin[1], timeout=WAIT,
                                                 context=self.context())
            self.addCleanup(opened.close)
            self.assertEqual(self.ask("/healthz", opened=opened).status, 200)

    def test_an_address_in_use_is_refused(self):
        taken = "{}:{}".format(*self.router.admin)
        text = self.refused(*self.certificates.flags, "--admin", taken, "--admin-tls", "on")
        self.assertIn(f"cannot listen on {taken} for the admin server", text)
        self.assertIn("--admin HOST:PORT sets another address", text)


class Hostile(SecureAdminCase, BystanderCase):
    """Whatever comes to the admin port, requests and pushes are answered."""

    def tearDown(self):
        super().tearDown()
        self.assertEqual(self.ask("/healthz").status, 200)

    def greeting(self):
        """The first message of a handshake."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = self.context().wrap_bio(incoming, outgoing, server_hostname="localhost")
        with contextlib.suppress(ssl.SSLWantReadError):
            client.do_handshake()
        return outgoing.read()

    def test_slow_handshakes_delay_no_request(self):
        """A hundred that send a byte now and then, and another hundred that send none."""
        greeting = self.greeting()
        slow = [socket.create_connection(self.router.admin) for _ in range(200)]
        for opened in slow:
            self.addCleanup(opened.close)
        slowest = 0
        for count in range(60):
            for opened in slow[:100]:
                with contextlib.suppress(OSError):
                    opened.send(greeting[count:count + 1])
            begin = time.monotonic()
            self.assertEqual(self.ask("/healthz").status, 200)
            slowest = max(slowest, time.monotonic() - begin)
            self.check_bystander()
        self.assertLess(slowest, SOON)

    def test_an_established_connection_outlives_any_number_of_handshakes(self):
        opened = self.open()
        self.ask("/healthz", opened=opened)
        for _ in range(300):
            socket.create_connection(self.router.admin).close()
        kept = [socket.create_connection(self.router.admin) for _ in range(300)]
        self.assertEqual(self.ask("/healthz", opened=opened).status, 200)
        for other in kept:
            other.close()

    def test_hundreds_of_connections_at_once_are_served_or_displaced(self):
        answered, failed = [], []

        def client():
            try:
                opened = http.client.HTTPSConnection(*self.router.admin, timeout=WAIT,
                                                     context=self.context())
                opened.request("GET", "/metrics", headers=bearer())
                answered.append(opened.getresponse().read())
            except (OSError, http.client.HTTPException) as error:
                failed.append(error)
            finally:
                opened.close()

        threads = [threading.Thread(target=client) for _ in range(300)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            self.check_bystander()
        for thread in threads:
            thread.join()
        self.assertEqual(len(answered) + len(failed), 300)
        self.assertGreater(len(answered), 10)

    def test_clients_that_vanish_leave_nothing(self):
        """In the middle of a handshake, of a body, of an answer, of a stream."""
        self.ask("/healthz").status
        before = self.router.open_files
        greeting = self.greeting()
        for number in range(80):
            if number % 4 == 0:
                raw = socket.create_connection(self.router.admin)
                raw.send(greeting[:100])
            else:
                wrapped = self.wrapped()
                wrapped.send({
                    1: self.request("POST", "/v1/explain", "Content-Length: 9000") + b"{",
                    2: self.request("GET", "/metrics") * 20,
                    3: self.request("GET", "/v1/events"),
                }[number % 4])
                raw = socket.socket(fileno=wrapped.detach())
            # The connection is reset, and not ended.
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raw.close()
        self.check_bystander()
        wait_until(lambda: self.router.open_files <= before + 2, "the descriptors are closed", 30)

    def test_a_client_that_does_not_read_delays_no_other(self):
        deaf = [self.wrapped() for _ in range(10)]
        for opened in deaf:
            opened.setblocking(False)
            with contextlib.suppress(ssl.SSLWantWriteError, OSError):
                for _ in range(2_000):
                    opened.send(self.request("GET", "/metrics") * 10)
        resident = self.router.resident
        for _ in range(50):
            self.assertEqual(self.ask("/healthz").status, 200)
            self.check_bystander()
        self.assertLess(self.router.resident - resident, 64 << 20)

    def test_noise_is_refused(self):
        for number in range(100):
            raw = socket.create_connection(self.router.admin, timeout=WAIT)
            self.addCleanup(raw.close)
            greeting = bytearray(self.greeting())
            greeting[number * 7 % len(greeting)] ^= 0xff
            with contextlib.suppress(OSError):
                raw.sendall(bytes(greeting) + bytes([number]) * number)
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(1 << 16):
                    pass

    def test_noise_within_a_session_ends_it_alone(self):
        wrapped = self.wrapped()
        raw = socket.socket(fileno=wrapped.detach())
        self.addCleanup(raw.close)
        raw.settimeout(WAIT)
        raw.sendall(b"\x17\x03\x03\x00\x20" + bytes(32))
        with contextlib.suppress(ConnectionError):
            while raw.recv(1 << 16):
                pass


if __name__ == "__main__":
    unittest.main()
