"""What of clients' and operators' secrets stays in the memory of a running router, or leaves it in a crash:
nothing."""

import base64
import http.client
import json
import os
import pathlib
import re
import secrets
import signal
import socket
import time
import unittest

import apns
from admin import ask
from support import *
from test_tls import Certificates, Security
from test_tokens import TokenCase, app, encoded, key, put_app_file, signed
from wire import frame

#: Bytes that are read of a process at a time.
PART = 16 << 20
#: Something that the router keeps, and that is no secret: a search that misses it proves nothing.
CONTROL = "elf-of-the-control"


def found_in_memory(process, *needles):
    """Which of these bytes are in memory that the process can write."""
    found = set()
    try:
        memory = open(f"/proc/{process}/mem", "rb", buffering=0)
    except PermissionError:
        raise unittest.SkipTest("this user may not read the memory of other processes")
    with memory, open(f"/proc/{process}/maps") as maps:
        for line in maps:
            begin, end, rights = re.match(r"(\w+)-(\w+) (\S+)", line).groups()
            position, end = int(begin, 16), int(end, 16)
            if not rights.startswith("rw"):
                continue
            tail = b""
            while position < end:
                try:
                    part = os.pread(memory.fileno(), min(PART, end - position), position)
                except OSError:
                    break  # a mapping of a device
                if not part:
                    break
                found |= {needle for needle in needles if needle in tail + part}
                tail = part[-4096:]
                position += len(part)
    return found


class MemoryCase(TokenCase):
    def assert_forgotten(self, *secrets, router=None):
        """None of these texts is in the router's memory, once it has worked off what it does now."""
        router = router or self.router
        wanted = {secret.encode() if isinstance(secret, str) else secret for secret in secrets}

        def left():
            found = found_in_memory(router.process.pid, CONTROL.encode(), *wanted)
            self.assertIn(CONTROL.encode(), found, "the search finds nothing at all")
            return found & wanted
        deadline = time.monotonic() + 5 * PATIENCE
        # A thread may still have the last one in its hands.
        while (found := left()) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(found, set())



def parts(token):
    """What of a signed token must not stay: the whole, and its signature as text and as bytes."""
    code = token.split(".")[2]
    return token, code, base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))


class Hellos(MemoryCase):
    """Tokens in HELLOs, whatever becomes of them."""

    security = None

    def setUp(self):
        self.tokens = [secrets.token_urlsafe(32) for _ in range(8)]
        self.key = secrets.token_bytes(32)
        self.access = {"publishers": [entry(token) for token in self.tokens[:4]],
                       "devices": [key(secret=self.key)]}
        super().setUp()

    def said(self, role, token, **members):
        """Sends a HELLO; returns the client, and the frame that answers it."""
        client = self.connect(self.router, security=self.security)
        client.hello(role, token=token, **members)
        return client, client.expect(WELCOME, ERROR)

    def control(self):
        """A device with something that the search must find; returns its token."""
        token = signed(secret=self.key)
        device, answer = self.said("device", token, device="d-1")
        self.assertEqual(answer.type, WELCOME)
        device.register(widget("w", character=CONTROL), device="d-1")
        return token

    def test_those_that_let_in_are_forgotten(self):
        token = self.control()
        for number, other in enumerate(self.tokens[:4]):
            publisher, answer = self.said("publisher", other, producer=f"p-{number}")
            self.assertEqual(answer.type, WELCOME)
            publisher.pushed(HEALING)
        self.assert_forgotten(*parts(token), *self.tokens)

    def test_those_that_are_refused_are_forgotten(self):
        control = self.control()
        for token in self.tokens[4:]:
            self.assertEqual(self.said("publisher", token, producer="p")[1].code, "token-invalid")
        foreign, gone = signed(secret=b"x" * 32), signed(secret=self.key, exp=time.time() - 600)
        for token in (foreign, gone):
            self.assertEqual(self.said("device", token, device="d-1")[1].type, ERROR)
        wrong = self.connect(self.router, security=self.security)
        wrong.hello("king", token=self.tokens[0])
        self.assertEqual(wrong.expect(ERROR).code, "hello-invalid")
        self.assert_forgotten(*parts(control), *parts(foreign), *parts(gone), *self.tokens)

    def test_those_that_come_in_pieces_or_not_wholly_are_forgotten(self):
        control = self.control()
        hello = frame(HELLO, 0, {"v": 1, "role": "publisher", "app": APP, "producer": "p",
                                 "token": self.tokens[0], "more": "x" * 2_000})
        client = self.connect(self.router, security=self.security)
        for piece in (hello[:40], hello[40:130], hello[130:1_000], hello[1_000:]):
            client.send_raw(piece)
        client.expect(WELCOME)
        half = self.connect(self.router, security=self.security)
        half.send_raw(hello[:1_000].replace(self.tokens[0].encode(), self.tokens[1].encode()))
        half.close()
        client.pushed(HEALING)
        self.assert_forgotten(control, *self.tokens)

    def test_those_whose_signatures_take_long_are_forgotten(self):
        control = self.control()
        said = [control]
        for algorithm in ("EdDSA", "ES256"):
            file = self.folder / algorithm
            made = command("token", "new", "--key", algorithm, "--out", file, "--id", algorithm)
            self.install(devices=[json.loads(made.stdout.split("app file:")[1]),
                                  key(secret=self.key)])
            token = command("token", "sign", "--key", file, "--app", APP, "--name", "d-2",
                            "--id", algorithm).stdout.strip()
            self.assertEqual(self.said("device", token, device="d-2")[1].type, WELCOME)
            self.assertEqual(self.said("device", token, device="d-3")[1].type, ERROR)
            said.append(token)
        self.assert_forgotten(*(part for token in said for part in parts(token)))


class HellosOverTLS(Hellos):
    def setUp(self):
        certificates = Certificates(self)
        self.flags, self.security = certificates.flags, Security(certificates)
        super().setUp()


class AppFiles(MemoryCase):
    """Keys of HS256 in app files: as bytes in memory while they are in force, and as text never."""

    def setUp(self):
        super().setUp()
        device = self.device("d-1", widget("w", character=CONTROL))
        device.barrier()

    def test_a_key_is_known_by_its_bytes_alone_and_forgotten_when_it_is_replaced(self):
        first, second = secrets.token_bytes(32), secrets.token_bytes(48)
        self.install(**ACCESS | {"gateways": [key(secret=first)]})
        self.admitted("gateway", token=signed(secret=first, sub="*", role="gateway"))
        self.assertEqual(found_in_memory(self.router.process.pid, first), {first})
        self.assert_forgotten(encoded(first))
        self.install(**ACCESS | {"gateways": [key(secret=second)]})
        self.admitted("gateway", token=signed(secret=second, sub="*", role="gateway"))
        self.assert_forgotten(encoded(first), first, encoded(second))


class UploadedAppFiles(MemoryCase):
    """Keys of HS256 in app files that an operator sends."""

    flags = ("--admin", "127.0.0.1:0")

    def test_a_key_is_known_by_its_bytes_alone_however_it_came(self):
        self.device("d-1", widget("w", character=CONTROL)).barrier()
        whole, parted, refused = (secrets.token_bytes(32) for _ in range(3))
        for one in (whole, parted):
            file = app(**ACCESS | {"gateways": [key(secret=one)]})
            if one is whole:
                self.assertEqual(put_app_file(self.router, file).status, 200)
                continue
            # In chunks, so that the router does not know the length.
            opened = http.client.HTTPConnection(*self.router.admin, timeout=WAIT)
            self.addCleanup(opened.close)
            text = json.dumps(file).encode()
            pieces = (text[begin:begin + 100] for begin in range(0, len(text), 100))
            opened.request("PUT", "/v1/app-file", pieces, bearer() | {
                "Content-Type": "application/json"}, encode_chunked=True)
            self.assertEqual(opened.getresponse().status, 200)
        wrong = app(**ACCESS | {"gateways": [key(secret=refused), {"id": "nothing"}]})
        self.assertEqual(put_app_file(self.router, wrong).status, 400)
        self.assert_forgotten(encoded(whole), whole, encoded(parted), encoded(refused), refused)
        self.admitted("gateway", token=signed(secret=parted, sub="*", role="gateway"))


class ProviderKeys(MemoryCase):
    """Keys for Apple's push service: as numbers while they are used, and as files never."""

    def setUp(self):
        super().setUp()
        self.device("d-1", widget("w", character=CONTROL)).barrier()

    def lines(self, path):
        return path.read_text().splitlines()[1:-1]

    def number(self, path):
        """The private number, from the least significant byte on, as OpenSSL keeps it."""
        # PKCS #8 has it after a head of fixed length.
        return base64.b64decode("".join(self.lines(path)))[36:68][::-1]

    def test_a_key_is_known_by_its_number_alone_and_forgotten_when_it_is_replaced(self):
        keys = self.folder / "keys"
        apns.make_key(keys)
        path = keys / f"AuthKey_{apns.KEY}.p8"
        file = app(**ACCESS)
        file["apps"][0]["apns"] = apns.settings()
        router = super(TokenCase, self).start("--apns-keys", keys, apps=file)
        self.device("d-1", widget("w", character=CONTROL), router=router).barrier()
        number, lines = self.number(path), self.lines(path)
        self.assertEqual(found_in_memory(router.process.pid, number), {number})
        self.assert_forgotten(*lines, router=router)
        apns.make_key(keys)
        router.signal(signal.SIGHUP)
        router.wait_log("app file read again")
        wait_until(lambda: found_in_memory(router.process.pid, self.number(path)), "the other key")
        self.assert_forgotten(*lines, number, *self.lines(path), router=router)


class Operators(MemoryCase):
    """Tokens of operators, in headers and in addresses."""

    flags = ("--admin", "127.0.0.1:0")

    def setUp(self):
        super().setUp()
        self.device("d-1", widget("w", character=CONTROL)).barrier()

    def open(self):
        opened = http.client.HTTPConnection(*self.router.admin, timeout=WAIT)
        self.addCleanup(opened.close)
        return opened

    def ask(self, opened, path, token=None):
        opened.request("GET", path, headers=bearer(token) if token else {})
        answer = opened.getresponse()
        return answer.status, answer.read()

    def test_they_are_forgotten_though_their_connections_stay(self):
        wrong = [secrets.token_urlsafe(32) for _ in range(3)]
        opened = [self.open() for _ in range(3)]
        for one in opened:
            self.assertEqual(self.ask(one, "/v1/status", ADMIN_TOKEN)[0], 200)
        self.assertEqual(self.ask(opened[0], "/v1/status", wrong[0])[0], 401)
        self.assertEqual(self.ask(opened[1], f"/v1/events?token={wrong[1]}")[0], 401)
        closed = self.open()
        self.assertEqual(self.ask(closed, "/metrics", ADMIN_TOKEN)[0], 200)
        closed.close()
        self.assert_forgotten(ADMIN_TOKEN, *wrong)


class OperatorsOverTLS(Operators):
    def setUp(self):
        certificates = Certificates(self)
        self.flags = (*certificates.flags, "--admin", "127.0.0.1:0", "--admin-tls", "on")
        self.security = Security(certificates, protocols=("http/1.1",))
        clear = Security(certificates)
        real = self.session
        self.session = lambda role, **options: real(role, **{"security": clear} | options)
        super().setUp()

    def open(self):
        opened = http.client.HTTPSConnection(*self.router.admin, timeout=WAIT,
                                             context=self.security.context)
        self.addCleanup(opened.close)
        return opened


class PublishersOverHTTP(MemoryCase):
    """Tokens that come with each request of a publisher."""

    flags = ("--publish", "127.0.0.1:0")

    def test_they_are_forgotten_though_their_connections_stay(self):
        own, listed, wrong = secrets.token_bytes(32), secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.install(**ACCESS | {"publishers": [entry(listed), key(secret=own)]})
        self.device("d-1", widget("w", character=CONTROL)).barrier()
        made = signed(secret=own, sub="*", role="publisher")
        opened = http.client.HTTPConnection(*self.router.publish, timeout=WAIT)
        self.addCleanup(opened.close)
        for token, status in ((listed, 202), (made, 202), (made, 202), (wrong, 401)):
            opened.request("POST", f"/v1/apps/{APP}/pushes", json.dumps(HEALING), bearer(token))
            answer = opened.getresponse()
            self.assertEqual((answer.status, bool(answer.read())), (status, True))
        self.assert_forgotten(listed, wrong, *parts(made))


class Crashes(TokenCase):
    """What a crash writes: the sentence of a trap, and nothing of what was in memory."""

    TRACED = {"SWIFT_BACKTRACE": "enable=yes,color=no,output-to=stderr"}

    def test_swift_writes_no_backtrace_even_if_it_is_asked_to(self):
        router = self.start(env=self.TRACED)
        status = pathlib.Path(f"/proc/{router.process.pid}/status").read_text()
        caught = int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16)
        for number in (signal.SIGQUIT, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL,
                       signal.SIGSEGV, signal.SIGTRAP):
            self.assertFalse(caught >> number - 1 & 1, f"{number.name} has a handler")
        # The mask says something: SIGTERM drains.
        self.assertTrue(caught >> signal.SIGTERM - 1 & 1)


if __name__ == "__main__":
    unittest.main()
