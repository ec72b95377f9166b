"""Devices without a session, which the router reaches by pushes over APNs."""

import contextlib
import hashlib
import http.client
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from admin import ask, metrics
from apns import *
from deploy_case import TOOLS
from openapi import Document
from support import *
from test_tls import Certificates

OTHER = "com.other"
OTHER_KEY = "OTHERKEY01"
NGHTTPD = shutil.which("nghttpd") or "/usr/sbin/nghttpd"


def apps(**other):
    """The app file of the tests with settings for APNs; of the second app, with those that differ."""
    first = dict(APPS["apps"][0], apns=settings())
    second = dict(APPS["apps"][1], apns=settings(OTHER_KEY, bundle=OTHER, **other),
                  kinds=[{"kind": "com.other.news", **ANY_TIME, "match": {"character": ["${configuration.character}"]}}])
    return {"apps": [first, second]}


class DeliveryCase(RouterCase):
    """A router that pushes to a mock of APNs."""

    #: Flags of the mock.
    mocked = ()
    app_file = apps()

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.keys = self.folder / "keys"
        self.public = {key: make_key(self.keys, key) for key in (KEY, OTHER_KEY)}
        self.mock = self.make_mock(*self.mocked)
        self.flags = ("--admin", "127.0.0.1:0", "--apns-keys", self.keys, *self.targets())
        super().setUp()

    def make_mock(self, *flags, **options):
        mock = Mock(self.folder, *flags, **options)
        self.addCleanup(mock.close)
        return mock

    def targets(self):
        address = f"127.0.0.1:{self.mock.port}"
        return "--apns-plaintext", "--apns-production", address, "--apns-sandbox", address

    def start(self, *flags, **options):
        return super().start(*flags, **{"apps": self.app_file} | options)

    def known(self, *numbers, app=APP, kind=DETAIL, character="elf-42", environment=None, tokens=token):
        """A gateway registers devices and goes, so that none of them has a session."""
        gateway = self.gateway(app=app)
        for number in numbers:
            body = {"device": f"d-{number}", "pushToken": tokens(number),
                    "widgets": [widget("w", kind, character=character)]}
            gateway.request(WIDGETS, body | ({"environment": environment} if environment else {}))
        gateway.close()
        wait_until(lambda: metrics(self.router)['connections{role="gateway"}'] == 0, "the gateway has gone")

    def pushed(self, payload=HEALING, **options):
        publisher = self.publisher(**options)
        matched = publisher.pushed(payload)
        publisher.close()
        return matched

    def commit(self):
        """Everything that the router knows by now is on the disk after this."""
        self.assertEqual(self.pushed({"event": "commit"}), 0)

    def metric(self, name):
        return metrics(self.router)[f"apns_{name}"]

    def ended(self, outcome):
        return self.metric(f'pushes_ended_total{{outcome="{outcome}"}}')

    def wait_metric(self, name, value):
        wait_until(lambda: self.metric(name) == value, f"{name} is {value}", 20)

    def wait_ended(self, outcome, count=1):
        self.wait_metric(f'pushes_ended_total{{outcome="{outcome}"}}', count)


class Pushes(DeliveryCase):
    def test_a_device_without_a_session_gets_one_push(self):
        self.known(1, 2)
        self.known(3, character="orc-7")
        self.assertEqual(self.pushed(), 2)
        found = self.mock.wait_requests(2)
        self.wait_ended("accepted", 2)
        self.assertEqual({r["token"] for r in found}, {token(1), token(2)})
        self.assertEqual(len({r["id"] for r in found}), 2, "each has an id of its own")
        for request in found:
            self.assertEqual((request["topic"], request["type"], request["priority"], request["status"]),
                             (TOPIC, "widgets", "5", 200))
            # Not absent: Apple would keep it for weeks.
            self.assertGreater(int(request["expiration"]), 0)
        self.wait_metric("pushes_under_way", 0)
        self.assertEqual(self.metric("pushes_sent_total"), 2)
        self.assertEqual(self.metric("answer_seconds_count"), 2)
        self.assertGreater(self.metric("connections"), 0)

    def test_a_device_with_a_session_gets_a_reload_and_no_push(self):
        device = self.device("d-1")
        device.request(WIDGETS, {"device": "d-1", "pushToken": token(1),
                                 "widgets": [widget("w", character="elf-42")]})
        self.known(2)
        self.assertEqual(self.pushed(), 2)
        self.mock.wait_requests(1)
        self.assertEqual(device.reloaded(), [("d-1", "w")])
        self.wait_ended("accepted", 1)
        self.assertEqual([r["token"] for r in self.mock.requests], [token(2)])

    def test_a_device_whose_session_ends_gets_the_next_push(self):
        device = self.device("d-1")
        device.request(WIDGETS, {"device": "d-1", "pushToken": token(1),
                                 "widgets": [widget("w", character="elf-42")]})
        device.close()
        wait_until(lambda: metrics(self.router)['connections{role="device"}'] == 0, "the device has gone")
        self.pushed()
        self.assertEqual([r["token"] for r in self.mock.wait_requests(1)], [token(1)])

    def test_each_environment_has_its_service(self):
        sandbox_folder = self.folder / "sandbox"
        sandbox_folder.mkdir()
        sandbox = Mock(sandbox_folder)
        self.addCleanup(sandbox.close)
        self.router = self.start(*self.flags, "--apns-sandbox", f"127.0.0.1:{sandbox.port}")
        self.known(1)
        self.known(2, environment="sandbox")
        self.pushed()
        self.assertEqual([r["token"] for r in self.mock.wait_requests(1)], [token(1)])
        self.assertEqual([r["token"] for r in sandbox.wait_requests(1)], [token(2)])

    def test_a_token_that_is_none_is_refused_and_never_sent(self):
        gateway = self.gateway()
        with self.assertRaisesRegex(AssertionError, "identifier-invalid"):
            gateway.request(WIDGETS, {"device": "d-1", "pushToken": "not/hexadecimal?",
                                      "widgets": [widget("w", DETAIL, character="elf-42")]})
        gateway.close()
        self.known(2)
        self.assertEqual(self.pushed(), 1)
        self.wait_ended("accepted")
        self.assertEqual([r["token"] for r in self.mock.requests], [token(2)])
        self.assertEqual(self.metric("pushes_sent_total"), 1)


class ChannelCase(DeliveryCase):
    """An app with a kind of controls."""

    LAMP = "com.mygame.lamp"
    app_file = {"apps": [dict(APPS["apps"][0], apns=settings(backgroundPushesPerHour=1), kinds=[
        *APPS["apps"][0]["kinds"],
        {"kind": LAMP, "control": True, **ANY_TIME, "match": {"character": ["${configuration.character}"]}}])]}

    def lamp(self, name, number):
        return widget(name, self.LAMP, character="elf-42") | {"pushToken": token(number)}

    def register(self, device, *widgets, **tokens):
        gateway = self.gateway()
        gateway.request(WIDGETS, {"device": device, "widgets": list(widgets)} | tokens)
        gateway.close()
        wait_until(lambda: metrics(self.router)['connections{role="gateway"}'] == 0, "the gateway has gone")


class Channels(ChannelCase):
    """Background pushes to apps, and pushes to controls, each with tokens of their own."""

    def test_an_app_whose_widgets_have_no_token_gets_the_kinds_in_background(self):
        self.register("d-1", widget("w", character="elf-42"), widget("x", character="orc-7"),
                      appPushToken=token(9))
        self.pushed()
        request = self.mock.wait_requests(1)[0]
        self.assertEqual((request["token"], request["type"], request["topic"], request["priority"]),
                         (token(9), "background", BUNDLE, "5"))
        self.assertEqual(json.loads(request["payload"]),
                         {"aps": {"content-available": 1}, "reload-kinds": [DETAIL]})
        self.wait_ended("accepted")
        # One an hour is what the app file allows.
        self.pushed()
        device = ask(self.router, f"/v1/apps/{APP}/devices/d-1").json
        self.assertEqual((device["push"]["channel"], device["push"]["waitsFor"]), ("background", "cap"))
        self.assertEqual(self.metric("pushes_sent_total"), 1)

    def test_each_control_gets_a_push_of_its_own_beside_the_widgets(self):
        self.register("d-1", widget("w", character="elf-42"), self.lamp("c1", 11), self.lamp("c2", 12),
                      pushToken=token(1))
        self.assertEqual(self.pushed(), 3)
        self.wait_ended("accepted", 3)
        found = {r["token"]: (r["type"], r["topic"]) for r in self.mock.requests}
        self.assertEqual(found, {token(1): ("widgets", TOPIC),
                                 token(11): ("controls", f"{BUNDLE}.push-type.controls"),
                                 token(12): ("controls", f"{BUNDLE}.push-type.controls")})

    def test_tokens_of_apps_and_controls_survive_a_kill(self):
        self.register("d-1", widget("w", character="elf-42"), self.lamp("c1", 11), appPushToken=token(9))
        self.commit()
        self.router.restart(kill=True)
        self.pushed()
        self.wait_ended("accepted", 2)
        self.assertEqual({r["token"] for r in self.mock.requests}, {token(9), token(11)})

    def test_the_apps_own_token_takes_over_from_one_that_dies(self):
        self.register("d-1", widget("w", character="elf-42"), pushToken=token(1), appPushToken=token(9))
        self.mock.close()
        self.mock = self.make_mock("--dead", token(1), port=self.mock.port)
        self.pushed()
        self.wait_ended("tokenDead")
        self.wait_ended("accepted")
        self.assertEqual(self.mock.accepted(), {token(9): 1})


class Secure(DeliveryCase):
    """Pushes over TLS."""

    def make_mock(self, *flags):
        self.certificates = Certificates(self)
        return super().make_mock(*flags, secure=self.certificates.flags)

    def targets(self):
        address = f"localhost:{self.mock.port}"
        return ("--apns-ca", self.certificates.path("ca.pem"),
                "--apns-production", address, "--apns-sandbox", address)

    def test_pushes_go_over_tls(self):
        self.known(1)
        self.pushed()
        self.mock.wait_requests(1)
        self.wait_ended("accepted")

    def test_a_service_that_proves_itself_by_another_authority_gets_no_push(self):
        address = f"localhost:{self.mock.port}"
        self.router = self.start("--admin", "127.0.0.1:0", "--apns-keys", self.keys,
                                 "--apns-production", address, "--apns-sandbox", address)
        self.known(1)
        self.pushed()
        self.router.wait_log("a connection to APNs is lost")
        self.assertIn("certificate", self.router.log)
        self.assertEqual(self.mock.requests, [])
        wait_until(lambda: self.metric("connections_lost_total") > 0, "it is counted")

    def test_without_keys_no_authorities_are_read(self):
        """Those of the system take longer than all else of a start. A router that read this pipe would wait for ever."""
        pipe = self.folder / "authorities"
        os.mkfifo(pipe)
        self.start(env={"SSL_CERT_FILE": str(pipe)})


class ClientCertificates(DeliveryCase):
    """An app that proves itself by a certificate, in place of a key."""

    app_file = {"apps": [dict(APPS["apps"][0], apns={"certificate": "game", "bundle": BUNDLE, "grace": 0})]}

    def make_mock(self, *flags):
        self.certificates = Certificates(self)
        self.install("game")
        return super().make_mock(*flags, "--client-ca", self.certificates.path("ca.pem"),
                                 secure=self.certificates.flags)

    def install(self, name, folder=None, mode=0o600):
        """Writes a certificate and its key into the folder of keys, as one file."""
        folder = pathlib.Path(folder or self.certificates.make("game.example", to=name))
        path = self.keys / f"Certificate_{name}.pem"
        path.unlink(missing_ok=True)
        path.write_bytes((folder / "cert.pem").read_bytes() + (folder / "key.pem").read_bytes())
        path.chmod(mode)
        return path

    def targets(self):
        address = f"localhost:{self.mock.port}"
        return ("--apns-ca", self.certificates.path("ca.pem"),
                "--apns-production", address, "--apns-sandbox", address)

    def test_pushes_go_without_a_provider_token(self):
        self.known(1, 2)
        self.pushed()
        self.wait_ended("accepted", 2)
        self.assertEqual([(r["certificate"], r["authorization"]) for r in self.mock.requests], [(True, False)] * 2)
        expiry = self.metric("certificate_expiry_time_seconds")
        self.assertGreater(expiry, now_ms() / 1_000 + 86_400)
        self.known(3, environment="sandbox")
        self.pushed({"event": "other", "character": "elf-42"})
        self.wait_ended("accepted", 5)

    def test_another_certificate_takes_effect_at_sighup(self):
        self.known(1)
        self.pushed()
        self.wait_ended("accepted")
        stranger = Certificates(self)
        self.install("game", folder=stranger.make("game.example", to="stranger"))
        self.router.signal(signal.SIGHUP)
        # The mock does not trust its authority: no connection is opened.
        wait_until(lambda: self.metric("connections") == 0, "the former connection has ended", 20)
        self.pushed({"event": "second", "character": "elf-42"})
        wait_until(lambda: self.metric("connections_lost_total") > 0, "connections are refused", 20)
        self.assertEqual(self.ended("accepted"), 1)
        self.install("game")
        self.router.signal(signal.SIGHUP)
        self.wait_ended("accepted", 2)

    def test_one_that_cannot_be_used_is_logged_and_its_pushes_wait(self):
        for mode, reason in ((0o604, "chmod 600"), (None, "No such file")):
            with self.subTest(reason):
                if mode:
                    self.install("game", mode=mode)
                else:
                    (self.keys / "Certificate_game.pem").unlink()
                router = self.start("--admin", "127.0.0.1:0", "--apns-keys", self.keys, *self.targets())
                router.wait_log("an app's certificate for APNs cannot be used")
                self.assertIn(reason, router.log)
                wait_until(lambda: metrics(router)['apns_lanes_stopped{cause="key"}'] == 2, "both lanes wait")

    def test_the_key_of_a_certificate_is_in_no_log_answer_or_store(self):
        self.known(1)
        self.pushed()
        self.wait_ended("accepted")
        self.commit()
        _, _, key = (self.keys / "Certificate_game.pem").read_text().partition("-----BEGIN PRIVATE KEY-----\n")
        lines = key.splitlines()[:-1]
        self.assertGreater(len(lines), 1)
        answers = [ask(self.router, path).text for path in
                   ("/metrics", "/v1/status", "/v1/app-file", f"/v1/apps/{APP}/devices/d-1")]
        said = "".join([self.router.log, self.router.output, *answers])
        self.assertIn("com.mygame", said)
        self.router.stop()
        stored = b"".join(path.read_bytes() for path in self.router.store.rglob("*") if path.is_file())
        self.assertIn(b"elf-42", stored)
        for line in lines:
            self.assertNotIn(line, said)
            self.assertNotIn(line.encode(), stored)

    def test_a_certificate_that_apns_refuses_stops_the_app(self):
        self.mock.close()
        self.mock = DeliveryCase.make_mock(
            self, "--client-ca", self.certificates.path("ca.pem"),
            "--outage", "0:3600:BadCertificateEnvironment", secure=self.certificates.flags, port=self.mock.port)
        self.known(1)
        self.pushed()
        self.router.wait_log("pushes of an app are stopped: APNs refuses its key or certificate")
        self.wait_metric('lanes_stopped{cause="credentials"}', 1)


class Answers(DeliveryCase):
    def test_a_dead_token_gets_no_other_push(self):
        self.known(1, 2)
        # It dies after it was registered.
        self.mock.close()
        self.mock = self.make_mock("--dead", token(1), port=self.mock.port)
        self.pushed()
        self.wait_ended("tokenDead")
        self.wait_ended("accepted")
        self.assertEqual(self.metric('refusals_total{reason="Unregistered"}'), 1)
        self.pushed({"event": "other", "character": "elf-42"})
        self.wait_ended("accepted", 2)
        self.assertEqual([r["token"] for r in self.mock.requests].count(token(1)), 1)
        # Once the device registers another one, it gets what has waited, too.
        self.known(1, tokens=lambda number: token(7))
        self.pushed({"event": "third", "character": "elf-42"})
        self.wait_ended("accepted", 4)
        self.assertEqual(self.mock.accepted()[token(7)], 1)


class DeadTokenCase(DeliveryCase):
    """Reads the list and the stream of dead tokens."""

    def setUp(self):
        super().setUp()
        self.document = Document()

    def dead(self, app=APP, **query):
        _, _, operation = self.document.operation("deadTokens")
        answer = ask(self.router, f"/v1/apps/{app}/dead-tokens?{urllib.parse.urlencode(query)}")
        self.document.check(operation, answer)
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def push_to(self, *flags):
        """Pushes to a mock with these flags."""
        self.mock.close()
        self.mock = self.make_mock(*flags, port=self.mock.port)
        self.pushed({"event": f"{flags}", "character": "elf-42"})

    def die(self, *numbers):
        """The tokens of devices die, and the router hears it."""
        self.push_to(*(flag for number in numbers for flag in ("--dead", token(number))))

    @contextlib.contextmanager
    def stream(self, query="", **headers):
        """The events of the stream: pairs of a name and data."""
        connection = http.client.HTTPConnection(*self.router.admin, timeout=20)
        with contextlib.closing(connection):
            connection.request("GET", f"/v1/apps/{APP}/dead-tokens/events{query}", headers=bearer() | headers)
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "text/event-stream"))
            yield self.events(answer)

    def events(self, answer):
        fields = {}
        for line in answer:
            if line.strip():
                name, _, value = line.decode().rstrip("\n").partition(": ")
                fields[name] = value
                continue
            found = json.loads(fields["data"])
            if fields["event"] == "token":
                self.document.check_value({"$ref": "#/components/schemas/DeadToken"}, found, "token")
                self.assertEqual(fields["id"], str(found["number"]))
            yield fields["event"], found
            fields = {}


class DeadTokens(DeadTokenCase):
    """The list and the stream of dead tokens, for an app's own database."""

    def test_it_names_the_devices_whose_tokens_are_dead_or_refused(self):
        self.known(2)
        begin = now_ms()
        self.push_to("--outage", "0:3600:BadDeviceToken")
        self.wait_ended("tokenRefused")
        self.known(1, 3)
        self.die(1)
        self.wait_ended("tokenDead")
        self.wait_ended("accepted")
        found = self.dead()
        self.assertIsNone(found["next"])
        by_device = {entry["device"]: entry for entry in found["tokens"]}
        self.assertEqual({d: (e["state"], e["reason"]) for d, e in by_device.items()},
                         {"d-1": ("dead", "Unregistered"), "d-2": ("refused", "BadDeviceToken")})
        for number in (1, 2):
            entry = by_device[f"d-{number}"]
            self.assertEqual(entry["tokenSHA256"], hashlib.sha256(token(number).encode()).hexdigest())
            self.assertEqual(entry["environment"], "production")
            self.assertEqual((entry["channel"], entry["widget"], entry["kind"]), ("widgets", None, None))
            self.assertLessEqual(entry["registeredAt"], now_ms())
            self.assertTrue(begin - 1_000 <= entry["since"] <= now_ms() + 1_000, entry)
        self.assertNotIn(token(1)[:16], json.dumps(found))
        numbers = [entry["number"] for entry in found["tokens"]]
        self.assertEqual(numbers, sorted(set(numbers)))
        page = self.dead(limit=1)
        self.assertEqual([e["number"] for e in page["tokens"]], numbers[:1])
        self.assertEqual(page["next"], numbers[0])
        self.assertEqual(self.dead(after=page["next"])["tokens"], found["tokens"][1:])
        self.assertEqual(self.dead("com.other")["tokens"], [])

    def test_the_stream_of_an_unknown_app_says_so_and_ends(self):
        with self.stream() as events:
            put = ask(self.router, "/v1/app-file", "PUT", json.dumps({"apps": self.app_file["apps"][1:]}).encode())
            self.assertEqual(put.status, 200, put.text)
            name, problem = next(events)
            self.assertEqual((name, problem["code"]), ("problem", "app-unknown"))
            self.assertEqual(list(events), [])


class DeadTokensByChannel(ChannelCase, DeadTokenCase):
    """The same of tokens of apps and of controls."""

    def register_all(self, widgets=1):
        self.register("d-1", widget("w", character="elf-42"), self.lamp("c1", 11), self.lamp("c2", 12),
                      pushToken=token(widgets), appPushToken=token(9))

    def ends(self, found):
        return {(e["tokenSHA256"], e["channel"], e["widget"], e["kind"]) for e in found}

    def expected(self, number, channel, control=None):
        return (hashlib.sha256(token(number).encode()).hexdigest(), channel, control, control and self.LAMP)

    def test_each_token_is_listed_with_its_channel_and_all_are_gone_once_the_device_registers(self):
        self.register_all()
        self.die(1, 9, 11)
        self.wait_ended("tokenDead", 3)
        found = self.dead()["tokens"]
        dead = {self.expected(1, "widgets"), self.expected(9, "background"), self.expected(11, "controls", "c1")}
        self.assertEqual(self.ends(found), dead)
        self.wait_metric("dead_tokens", 3)
        self.assertEqual({(e["device"], e["state"], e["reason"]) for e in found}, {("d-1", "dead", "Unregistered")})
        # With another token, or with the same ones.
        self.register_all(widgets=7)
        self.assertEqual(self.dead()["tokens"], [])
        self.wait_metric("dead_tokens", 0)

    def test_the_stream_has_them_and_continues_after_a_crash(self):
        self.register_all()
        with self.stream() as events:
            self.die(11)
            name, first = next(events)
        self.assertEqual((name, self.ends([first])), ("token", {self.expected(11, "controls", "c1")}))
        self.commit()
        self.router.restart(kill=True)
        self.assertEqual(self.dead()["tokens"], [first])
        self.die(1, 9)
        with self.stream(**{"Last-Event-ID": str(first["number"])}) as events:
            found = [next(events)[1] for _ in range(2)]
        self.assertEqual(self.ends(found), {self.expected(1, "widgets"), self.expected(9, "background")})
        self.assertEqual(self.dead()["tokens"], [first, *found])
        with self.stream("?after=0") as events:
            self.assertEqual([next(events)[1] for _ in range(3)], [first, *found])

    def test_a_control_that_is_removed_takes_its_token_along(self):
        self.register_all()
        self.die(11, 12)
        self.wait_ended("tokenDead", 2)
        self.assertEqual({e["widget"] for e in self.dead()["tokens"]}, {"c1", "c2"})
        self.register("d-1", widget("w", character="elf-42"), pushToken=token(1), appPushToken=token(9))
        self.assertEqual(self.dead()["tokens"], [])


class Failures(DeliveryCase):
    mocked = ("--outage", "0:3600:ServiceUnavailable")

    def test_a_push_that_fails_is_postponed_and_not_lost(self):
        self.known(1)
        self.pushed()
        self.wait_ended("postponed")
        self.assertEqual(self.metric('refusals_total{reason="ServiceUnavailable"}'), 1)
        self.commit()
        self.router.restart(kill=True)
        # A session is another way, which need not wait.
        device = self.device("d-1", widget("w", character="elf-42"))
        wait_until(lambda: device.reloads(), "a RELOAD")
        self.assertEqual(len(self.mock.requests), 1)


class Keys(DeliveryCase):
    def make_mock(self, *flags, **options):
        known = [f"--team-key={key}={file}" for key, file in self.public.items()]
        return super().make_mock(*known, *flags, **options)

    def corrupt(self, key=KEY):
        """The team has another key by now, which APNs does not know; returns the right one."""
        path = self.keys / f"AuthKey_{key}.p8"
        right = path.read_bytes()
        make_key(self.keys, key)
        return right

    def restore(self, bytes, key=KEY):
        path = self.keys / f"AuthKey_{key}.p8"
        path.write_bytes(bytes)
        path.chmod(0o600)

    def hang_up(self, text):
        count = self.router.log.count(text)
        self.router.signal(signal.SIGHUP)
        self.router.wait_log(text, count + 1)

    def test_a_wrong_key_stops_its_app_alone_until_it_is_replaced(self):
        right = self.corrupt()
        self.hang_up("app file read again")
        self.known(1, 2, 3)
        self.known(4, app=OTHER, kind="com.other.news")
        self.assertEqual(self.pushed(), 3)
        self.router.wait_log("pushes of an app are stopped: APNs refuses its key")
        self.wait_metric('lanes_stopped{cause="credentials"}', 1)
        self.wait_metric('lane_stops_total{cause="credentials"}', 1)
        self.assertEqual(self.pushed(app=OTHER), 1)
        wait_until(lambda: self.mock.accepted() == {token(4): 1}, "the other app's push")
        refused = len(self.mock.requests)
        self.assertLess(refused, 4, "a connection without an accepted push has one stream")
        self.restore(right)
        self.hang_up("app file read again")
        wait_until(lambda: self.mock.accepted() == {token(n): 1 for n in range(1, 5)}, "all pushes")
        self.wait_metric('lanes_stopped{cause="credentials"}', 0)
        self.assertEqual(self.router.log.count("pushes of an app are stopped"), 1)

    def test_a_key_that_is_missing_or_bad_lets_the_router_serve_and_the_pushes_wait(self):
        path = self.keys / f"AuthKey_{KEY}.p8"
        right = path.read_bytes()
        warning = "an app's key for APNs cannot be used"
        for content, mode, sentence in [
            (None, 0, "No such file"),
            (b"-----BEGIN PRIVATE KEY-----\nAAAA\n", 0o600, "no private key"),
            (right, 0o644, f"chmod 600 {path}"),
        ]:
            path.unlink(missing_ok=True)
            if content:
                path.write_bytes(content)
                path.chmod(mode)
            self.hang_up(warning)
            self.assertIn(sentence, self.router.log)
        for part in (KEY, APP, str(self.keys)):
            self.assertIn(part, self.router.log)
        # Of both environments.
        self.wait_metric('lanes_stopped{cause="key"}', 2)
        self.known(1)
        self.pushed()
        device = self.device("d-9", widget("w", character="elf-42"))
        self.pushed({"event": "other", "character": "elf-42"})
        self.assertEqual(len(device.reloads()), 1)
        self.restore(right)
        self.hang_up("app file read again")
        wait_until(lambda: self.mock.accepted() == {token(1): 1}, "the push that has waited")
        self.wait_metric('lanes_stopped{cause="key"}', 0)

    def test_a_key_that_is_a_pipe_delays_no_other_app(self):
        path = self.keys / f"AuthKey_{KEY}.p8"
        right = path.read_bytes()
        path.unlink()
        os.mkfifo(path, 0o600)
        self.known(4, app=OTHER, kind="com.other.news")
        self.hang_up("an app's key for APNs cannot be used")
        self.assertIn(f"{path}: it is not a file", self.router.log)
        self.assertEqual(self.pushed(app=OTHER), 1)
        wait_until(lambda: self.mock.accepted() == {token(4): 1}, "the other app's push")
        path.unlink()
        self.restore(right)
        self.hang_up("app file read again")
        self.wait_metric('lanes_stopped{cause="key"}', 0)

    def test_a_topic_that_is_refused_stops_the_app_until_its_file_is_right(self):
        self.mock.close()
        self.mock = self.make_mock("--bundle", BUNDLE, port=self.mock.port)
        self.app_file = apps()
        self.app_file["apps"][0]["apns"]["bundle"] = "com.mygame.typo"
        self.router.apps.write_text(json.dumps(self.app_file))
        self.hang_up("app file read again")
        self.known(1)
        self.pushed()
        self.router.wait_log("pushes of an app are stopped: APNs refuses its topic")
        self.app_file["apps"][0]["apns"]["bundle"] = BUNDLE
        self.router.apps.write_text(json.dumps(self.app_file))
        self.hang_up("app file read again")
        wait_until(lambda: self.mock.accepted() == {token(1): 1}, "the push")

    def test_a_key_is_replaced_by_another_one_without_a_gap(self):
        self.known(1)
        self.pushed()
        self.wait_ended("accepted")
        self.app_file = apps()
        self.app_file["apps"][0]["apns"]["key"] = OTHER_KEY
        self.router.apps.write_text(json.dumps(self.app_file))
        (self.keys / f"AuthKey_{KEY}.p8").unlink()
        self.hang_up("app file read again")
        # The former one is revoked.
        self.mock.close()
        self.mock = DeliveryCase.make_mock(self, f"--team-key={OTHER_KEY}={self.public[OTHER_KEY]}",
                                           port=self.mock.port)
        self.pushed({"event": "second", "character": "elf-42"})
        self.wait_ended("accepted", 2)
        self.assertNotIn("pushes of an app are stopped", self.router.log)
        self.assertEqual(self.metric('lanes_stopped{cause="key"}'), 0)

    def test_the_key_is_in_no_log_and_no_metric(self):
        self.known(1)
        self.pushed()
        self.wait_ended("accepted")
        lines = (self.keys / f"AuthKey_{KEY}.p8").read_text().splitlines()[1:-1]
        said = self.router.log + self.router.output + "".join(metrics(self.router))
        for line in [*lines, token(1)]:
            self.assertNotIn(line, said)


class ProviderTokens(DeliveryCase):
    """The token by which an app's team proves itself, over restarts."""

    def test_restarts_and_sighups_make_no_other_one(self):
        for number in range(5):
            self.known(number, character=f"hero-{number}")
            self.pushed({"event": "e", "character": f"hero-{number}"})
            self.mock.wait_requests(number + 1)
            self.wait_ended("accepted", number + 1 if number < 2 else 1)
            if number == 0:
                self.router.signal(signal.SIGHUP)
            elif number < 4:
                self.commit()
                self.router.restart(kill=number % 2 == 1)
        seen = [request["providerToken"] for request in self.mock.requests]
        self.assertEqual(len(seen[0]), 64)
        # The half hour, by which a token is dated, may end meanwhile; not twice.
        self.assertLessEqual(len(list(itertools.groupby(seen))), 2, seen)


class Environments(DeliveryCase):
    """Devices that report the wrong environment, and an app file that lets the other one be tried."""

    app_file = {"apps": [dict(APPS["apps"][0], apns=settings(environments=["production", "sandbox"]))]}

    def test_a_bad_token_is_tried_once_at_the_other_service_which_is_remembered(self):
        folder = self.folder / "sandbox"
        folder.mkdir()
        sandbox = Mock(folder)
        self.addCleanup(sandbox.close)
        self.mock.close()
        self.mock = self.make_mock("--outage", "0:3600:BadDeviceToken", port=self.mock.port)
        self.router = self.start(*self.flags, "--apns-sandbox", f"127.0.0.1:{sandbox.port}")
        self.known(1)
        self.pushed()
        self.wait_ended("accepted")
        self.assertEqual([r["token"] for r in sandbox.requests], [token(1)])
        self.assertEqual(self.ended("tokenRefused"), 1)
        self.commit()
        self.router.restart(kill=True)
        self.known(1, environment="production")
        self.pushed({"event": "other", "character": "elf-42"})
        self.wait_ended("accepted")
        device = ask(self.router, f"/v1/apps/{APP}/devices/d-1").json
        self.assertEqual(device["push"]["environment"], "sandbox")
        self.assertEqual([r["token"] for r in self.mock.requests], [token(1)])
        self.assertEqual(len(sandbox.requests), 2)


class Tokens(DeliveryCase):
    """An app whose devices' tokens are all refused: its settings are wrong."""

    def test_many_refused_devices_stop_the_app_and_no_other(self):
        self.mock.close()
        self.mock = self.make_mock("--outage", "0:3600:BadDeviceToken", port=self.mock.port)
        self.known(*range(40))
        self.assertEqual(self.pushed(), 40)
        self.router.wait_log("pushes of an app are stopped: APNs refuses the tokens of nearly all devices")
        self.wait_metric("pushes_under_way", 0)
        self.wait_metric('lanes_stopped{cause="tokens"}', 1)
        self.assertEqual(len(self.mock.requests), 20)


class Losses(DeliveryCase):
    """Whatever happens, each device gets its push."""

    devices = range(300)
    mocked = ("--delay", 20, "--streams", 20)

    def wait_all(self):
        wait_until(lambda: len(self.mock.accepted()) == len(self.devices), "all devices", 30)

    def test_a_kill_loses_no_push_and_repeats_those_that_were_under_way_alone(self):
        self.known(*self.devices)
        self.assertEqual(self.pushed(), len(self.devices))
        self.mock.wait_requests(60)
        done = self.ended("accepted")
        self.commit()
        self.router.restart(kill=True)
        self.wait_all()
        self.wait_metric("pushes_under_way", 0)
        # The requests of the router that was killed, whenever the mock has read them.
        before = len(self.mock.requests) - self.metric("pushes_sent_total")
        counts = self.mock.accepted()
        self.assertEqual(set(counts), {token(n) for n in self.devices})
        self.assertLessEqual(max(counts.values()), 2)
        repeated = sum(counts.values()) - len(counts)
        self.assertLessEqual(repeated, before - done)
        ids = [r["id"] for r in self.mock.requests]
        self.assertEqual(len(set(ids)), len(ids), "a push that is sent again has another id")

    def test_a_drain_waits_for_the_answers(self):
        self.known(*self.devices)
        self.pushed()
        self.mock.wait_requests(60)
        self.router.restart(kill=False)
        self.wait_all()
        self.assertEqual(set(self.mock.accepted().values()), {1})

    def test_a_drain_without_answers_ends_in_time_and_the_pushes_are_sent_again(self):
        self.mock.close()
        self.mock = self.make_mock("--delay", 3_600_000, port=self.mock.port)
        self.router = self.start(*self.flags, "--drain-timeout", "0.5")
        self.known(1)
        self.pushed()
        self.mock.wait_requests(1)
        self.assertEqual(self.router.stop(), 0)
        port = self.mock.port
        self.mock.close()
        self.mock = self.make_mock(port=port)
        self.router.restart()
        wait_until(lambda: self.mock.accepted()[token(1)] == 2, "the push is sent again")


class Origins(DeliveryCase):
    """A push is a reload: it waits for a permit at the origin of its widget."""

    devices = range(150)
    rate = 30
    app_file = apps()
    app_file["apps"][0] |= {
        "origins": [{"origin": "api", "perSecond": rate}],
        "kinds": [{"kind": DETAIL, **ANY_TIME, "origin": "api", "match": {"character": ["${configuration.character}"]}}]}

    def test_one_push_to_many_devices_keeps_to_the_rate_of_the_origin(self):
        self.known(*self.devices)
        begin = time.monotonic()
        self.assertEqual(self.pushed(), len(self.devices))

        def all_have_come():
            # Counted before the clock is read. A permit of one second may be used together with those of the next.
            count = len(self.mock.accepted())
            self.assertLessEqual(count, self.rate * (time.monotonic() - begin + 2))
            return count == len(self.devices)

        wait_until(all_have_come, "all devices", 30)
        self.assertGreater(time.monotonic() - begin, len(self.devices) / self.rate - 2)
        self.wait_ended("accepted", len(self.devices))
        self.assertEqual(set(self.mock.accepted().values()), {1})

    def test_pushes_that_wait_for_apns_come_once_each_when_it_is_back(self):
        self.known(*self.devices)
        self.mock.close()
        self.assertEqual(self.pushed(), len(self.devices))
        self.mock = self.make_mock(port=self.mock.port)
        wait_until(lambda: len(self.mock.accepted()) == len(self.devices), "all devices", 60)
        self.wait_metric("pushes_under_way", 0)
        self.assertEqual(set(self.mock.accepted().values()), {1})


class GoAway(DeliveryCase):
    mocked = ("--goaway-after", 25, "--delay", 5)

    def test_connections_that_apns_ends_lose_no_push_and_repeat_none(self):
        numbers = range(200)
        self.known(*numbers)
        self.assertEqual(self.pushed(), 200)
        wait_until(lambda: len(self.mock.accepted()) == 200, "all devices", 30)
        self.wait_ended("accepted", 200)
        self.assertEqual(set(self.mock.accepted().values()), {1})


class GoAwayEachTime(DeliveryCase):
    mocked = ("--goaway-after", 1)

    def test_a_peer_that_ends_each_connection_after_one_answer_gets_one_a_second(self):
        numbers = range(12)
        self.known(*numbers)
        begin = time.monotonic()
        self.assertEqual(self.pushed(), 12)
        wait_until(lambda: len(self.mock.accepted()) == 12, "all devices", 30)
        # Eight connections at once, and four more, one a second.
        self.assertGreater(time.monotonic() - begin, 3)
        self.assertEqual(set(self.mock.accepted().values()), {1})


@unittest.skipUnless(os.path.exists(NGHTTPD), "there is no nghttpd (nghttp2-server)")
class OtherPeers(DeliveryCase):
    """nghttpd, a server that is not ours and not APNs: it answers with files, or that there are none."""

    devices = range(41)

    def make_mock(self, *flags):
        certificates = self.certificates = Certificates(self)
        names = self.folder / "3" / "device"
        names.mkdir(parents=True)
        # Those with an even number are there, and empty.
        for number in self.devices[::2]:
            (names / token(number)).touch()
        port = fixed_port()
        self.said = self.folder / "nghttpd.log"
        with open(self.said, "wb") as out:
            process = subprocess.Popen(
                ["stdbuf", "-oL", NGHTTPD, "-v", "-a", "127.0.0.1", "-d", self.folder, "-m", "10", str(port),
                 certificates.flags[3], certificates.flags[1]], stdout=out, stderr=out)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: self.listens(port), "nghttpd listens")
        process.port = port
        return process

    @staticmethod
    def listens(port):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    def targets(self):
        address = f"localhost:{self.mock.port}"
        return ("--apns-ca", self.certificates.path("ca.pem"),
                "--apns-production", address, "--apns-sandbox", address)

    def test_what_it_says_is_not_believed_and_what_waits_reaches_apns(self):
        for number, what in ((0, "status 200, no apns-id, no body"), (1, "status 404, no apns-id, text/html")):
            with self.subTest(what):
                self.router = self.start(*self.flags)
                first, *others = [number, *set(self.devices) - {number}]
                self.known(first)
                self.assertEqual(self.pushed(), 1)
                self.router.wait_log("pushes of an app are stopped: what answers is not APNs")
                self.assertIn(what, self.router.log)
                self.assertNotIn(token(first), self.router.log)
                self.known(*others)
                self.assertEqual(self.pushed({"event": "other", "character": "elf-42"}), len(self.devices))
                self.wait_metric('lanes_stopped{cause="answer"}', 1)
                self.assertEqual(self.metric('refusals_total{reason="strange"}'), 1)
                self.assertEqual(self.metric("pushes_sent_total"), 1)
                self.assertEqual(self.metric("dead_tokens"), 0)
                self.commit()
        said = re.sub(r"\x1b\[[0-9;]*m", "", self.said.read_text(errors="replace"))
        self.assertEqual(set(re.findall(r":path: /3/device/([0-9a-f]+)", said)), {token(0), token(1)})
        for field in ("apns-push-type: widgets", f"apns-topic: {TOPIC}", "apns-priority: 5"):
            self.assertIn(field, said)
        # APNs itself is there at last: all that has waited comes, over the restart too.
        self.mock.kill()
        self.mock.wait()
        self.mock = Mock(self.folder, port=self.mock.port, secure=self.certificates.flags)
        self.addCleanup(self.mock.close)
        self.router.restart()
        wait_until(lambda: len(self.mock.accepted()) == len(self.devices), "all devices", 30)


@unittest.skipUnless(any(TOOLS.glob("lib/python*/site-packages/h2")), "PyPI's h2 is not there")
class StrangePeers(DeliveryCase):
    """What stands in the place of APNs is not APNs: nothing that it says is believed, and nothing is lost."""

    PAGE = {"content-type": "text/html"}
    ANSWERS = (
        ({"status": 404, "fields": PAGE, "body": "<html>Cannot POST /3/device/TOKEN</html>"}, "status 404, no apns-id"),
        ({"status": 401, "fields": {"www-authenticate": "Basic"}}, "status 401, no apns-id, no body"),
        ({"status": 301, "fields": {"location": "https://example.com/"}}, "status 301, no apns-id, no body"),
        ({"status": 200, "fields": PAGE, "body": "<!doctype html>" + "x " * 40_000}, "status 200, no apns-id, text/html"),
        ({"status": 200, "fields": {"apns-id": "x"}, "body": "{}"}, "a body that begins: {}"),
        ({"status": 410, "body": '{"error":"gone"}'}, "status 410, no apns-id"),
        ({"status": 503, "fields": PAGE, "body": "<html>"}, "status 503, no apns-id"),
    )

    def peer(self, port, answer):
        body = answer.get("body", "").replace("TOKEN", token(1))
        process = subprocess.Popen(
            [TOOLS / "bin" / "python", pathlib.Path(__file__).with_name("strange_peer.py"), str(port),
             json.dumps(answer | {"body": body})], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "listening\n")
        return process

    def test_its_answers_drop_no_reload_and_no_token(self):
        self.mock.close()
        for answer, what in self.ANSWERS:
            with self.subTest(what):
                peer = self.peer(self.mock.port, answer)
                self.router = self.start(*self.flags)
                self.known(*range(1, 42))
                self.assertEqual(self.pushed(), 41)
                self.router.wait_log("pushes of an app are stopped: what answers is not APNs")
                self.wait_metric("pushes_under_way", 0)
                self.assertIn(what, self.router.log)
                self.assertNotIn(token(1), self.router.log)
                self.wait_metric('lanes_stopped{cause="answer"}', 1)
                self.assertEqual(self.metric('refusals_total{reason="strange"}'), 1)
                self.assertEqual((self.metric("pushes_sent_total"), self.metric("dead_tokens")), (1, 0))
                peer.kill()
                peer.wait()
                # The router may look for APNs anew, and all that has waited comes.
                mock = Mock(self.folder, port=self.mock.port)
                self.addCleanup(mock.close)
                self.router.signal(signal.SIGHUP)
                wait_until(lambda: len(mock.accepted()) == 41, "all devices", 30)
                self.wait_ended("accepted", 41)
                mock.close()
                mock.file.unlink()


class Settings(unittest.TestCase):
    def test_wrong_settings_are_refused_with_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "apps.json"
            file.write_text(json.dumps(APPS))
            for flags, sentence in [
                (("--apns-production", "x:y"), "apns-production is x:y; it must be HOST:PORT"),
                (("--apns-plaintext",), "apns-plaintext is for a mock on this machine, and apns-production is "
                                        "api.push.apple.com:443"),
                (("--apns-plaintext", "--apns-production", "127.0.0.1:1"), "and apns-sandbox is api.sandbox"),
                (("--apns-ca", "/nowhere"), "apns-ca is /nowhere: No such file"),
                (("--apns-ca", file), "apns-ca: "),
            ]:
                with self.subTest(flags):
                    done = command("serve", "--apps", file, "--store", "none", "--listen", "127.0.0.1:0", *flags)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main()
