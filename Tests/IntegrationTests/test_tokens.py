"""Who is let in: tokens, signed tokens and certificates, and what becomes of sessions without them."""

import base64
import contextlib
import hashlib
import hmac
import json
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

from admin import ask, metrics
from openapi import Document
from support import *

KINDS = APPS["apps"][0]["kinds"]
SECRET = bytes(range(32))


def encoded(value):
    """base64url of bytes, or of something as JSON."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(secret=SECRET, header=None, **claims):
    """A token that HS256 signs, as an app's backend makes one; a claim that is None is left out."""
    claims = {"sub": "d-1", "aud": APP, "role": "device", "exp": time.time() + 600} | claims
    claims = {name: value for name, value in claims.items() if value is not None}
    text = f'{encoded(header or {"alg": "HS256", "typ": "JWT"})}.{encoded(claims)}'
    return f"{text}.{encoded(hmac.digest(secret, text.encode(), hashlib.sha256))}"


def app(**access):
    """An app file with these roles, the others closed."""
    return {"apps": [{"app": APP, **access, "kinds": KINDS}]}


def put_app_file(router, file):
    return ask(router, "/v1/app-file", "PUT", json.dumps(file), {"Content-Type": "application/json"})


def key(id="backend", secret=SECRET, **members):
    return {"id": id, "jwk": {"kty": "oct", "k": encoded(secret)}, **members}


def date(left):
    """The date of the app file that is so many seconds ahead."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + left))


def revoke(router, device, **members):
    """Revokes the tokens of a device; the answer."""
    answer = ask(router, f"/v1/apps/{APP}/revocations/{device}", "PUT", json.dumps(members),
                 {"Content-Type": "application/json"})
    document = Document()
    document.check(document.operation("revokeTokens")[2], answer)
    return answer


def before_its_end(begin):
    """What can be had only before a credential's end: on a slow machine that is set farther ahead."""
    for left in (3, 10):
        with contextlib.suppress(Ended):
            return begin(left)
    return begin(60)


class TokenCase(RouterCase):
    access = ACCESS

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="reload-router-tokens-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        super().setUp()

    def start(self, *flags, **options):
        """A router whose app file, which may have keys, is private."""
        self.router = super().start(*flags, apps=app(**ACCESS), **options)
        self.router.apps.chmod(0o600)
        self.install(**self.access)
        return self.router

    def install(self, **access):
        """Gives the router another app file, and waits until it is in force."""
        count = self.router.log.count("app file read again")
        self.router.apps.write_text(json.dumps(app(**access)))
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("app file read again", count + 1)

    def refused(self, role, code="token-invalid", **members):
        """Says HELLO and is refused; returns the sentence."""
        client = self.connect(self.router)
        client.hello(role, **members)
        ended = client.expect(ERROR)
        self.assertEqual(ended.code, code, ended.json)
        return ended.json["message"]

    def admitted(self, role, **members):
        client = self.connect(self.router)
        client.hello(role, **members)
        client.expect(WELCOME)
        return client


class Tokens(TokenCase):
    access = {
        "publishers": [entry("shards-token", producers=["shard-*"]), entry("cms-token", producers=["cms"])],
        "devices": [entry("device-token")], "gateways": [entry("edge-token", devices=["eu-*"])],
    }

    def test_a_token_is_good_for_its_producers_alone(self):
        self.admitted("publisher", token="shards-token", producer="shard-7")
        self.admitted("publisher", token="cms-token", producer="cms")
        said = self.refused("publisher", token="cms-token", producer="shard-7")
        self.assertIn("is not for producer shard-7", said)

    def test_a_gateway_speaks_for_its_devices_alone(self):
        gateway = self.admitted("gateway", token="edge-token")
        gateway.register(widget("w", character="elf-42"), device="eu-1")
        seq = gateway.send(WIDGETS, {"device": "us-1", "widgets": []})
        self.assert_refused(gateway, seq, "device-foreign")
        gateway.register(widget("w", character="elf-42"), device="eu-2")

    def test_strangers_get_one_sentence_whatever_is_wrong(self):
        said = {
            self.refused("publisher", app=name, token=token, producer="shard-1")
            .replace(name, "APP").replace("another-token", "TOKEN")
            for name in (APP, "com.nowhere") for token in ("another-token", "device-token")
        }
        self.assertEqual(len(said), 1, said)

    def test_a_role_that_the_app_file_does_not_mention_is_closed(self):
        self.install(publishers=self.access["publishers"])
        self.refused("device", token="device-token", device="d")
        self.admitted("publisher", token="cms-token", producer="cms")


class Revocation(TokenCase):
    def sessions(self):
        publisher, device = self.publisher(), self.device("d-1", widget("w", character="elf-42"))
        self.assertEqual(publisher.pushed(HEALING), 1)
        return publisher, device

    def test_a_credential_that_sighup_removes_ends_its_sessions_and_no_others(self):
        publisher, device = self.sessions()
        self.install(devices=ACCESS["devices"], publishers=[entry("another-token")])
        self.assert_ends(publisher, "token-revoked")
        device.barrier()
        self.refused("publisher", producer="p")

    def test_a_replaced_app_file_does_the_same(self):
        self.start("--admin", "127.0.0.1:0")
        publisher, device = self.sessions()
        answer = put_app_file(self.router, app(publishers=ACCESS["publishers"]))
        self.assertEqual(answer.status, 200)
        self.assert_ends(device, "token-revoked")
        publisher.pushed(HEALING)

    def test_patterns_that_become_narrower_end_the_sessions_outside(self):
        publisher, device = self.sessions()
        self.install(publishers=[ACCESS["publishers"][0] | {"producers": ["cms"]}],
                     devices=ACCESS["devices"])
        self.assert_ends(publisher, "token-revoked")
        device.barrier()

    def test_an_entry_that_stays_leaves_its_sessions_alone(self):
        publisher, device = self.sessions()
        self.install(**{role: [entry("more"), *list] for role, list in ACCESS.items()})
        publisher.pushed(HEALING)
        device.barrier()

    def test_a_credential_that_expires_ends_its_sessions_and_keeps_what_was_acknowledged(self):
        def sessions(left):
            """Sessions whose credential is good for some seconds more, and its end."""
            ends = {"notAfter": date(left)}
            self.install(publishers=[ACCESS["publishers"][0] | ends], devices=ACCESS["devices"])
            return *self.sessions(), ends
        publisher, device, ends = before_its_end(sessions)
        self.assertEqual(publisher.expect(ERROR).code, "token-expired")
        device.barrier()
        said = self.refused("publisher", "token-expired", producer="p")
        self.assertIn(ends["notAfter"], said)
        self.install(**ACCESS)
        again = self.connect(self.router)
        again.hello("publisher", producer="shard-7")
        self.assertEqual(again.expect(WELCOME).json["lastSeq"], 1)


class SignedTokens(TokenCase):
    access = {"publishers": ACCESS["publishers"], "devices": [key()],
              "gateways": [key(devices=["eu-*"])]}

    def test_a_device_needs_a_token_for_itself(self):
        device = self.admitted("device", device="d-1", token=signed())
        device.register(widget("w", character="elf-42"), device="d-1")
        self.assertIn("is not for device d-2", self.refused("device", device="d-2", token=signed()))

    def test_every_claim_counts(self):
        for claims, code, said in (
            ({"exp": time.time() - 61}, "token-expired", "was good until"),
            ({"nbf": time.time() + 120}, "token-invalid", "is good from"),
            ({"aud": "com.other"}, "token-invalid", "aud"),
            ({"role": "publisher"}, "token-invalid", "role"),
            ({"exp": None}, "token-invalid", "lacks a claim"),
            ({"exp": "tomorrow"}, "token-invalid", "lacks a claim"),
            ({"exp": (time.time() + 60) * 1_000}, "token-invalid", "in seconds since 1970"),
            ({"sub": "d-*"}, "token-invalid", "is not for device"),
        ):
            with self.subTest(claims):
                found = self.refused("device", code, device="d-1", token=signed(**claims))
                self.assertIn(said, found)

    def test_a_token_that_is_forged_is_refused_as_one_that_is_unknown(self):
        good = signed()
        head, claims, code = good.split(".")
        unsigned = f'{encoded({"alg": "none"})}.{claims}.'
        said = {self.refused("device", device="d-1", token=token) for token in (
            "nonsense", "a.b.c", unsigned, f"{head}.{claims}.{code[:-2]}AA",
            signed(secret=b"x" * 32), signed(header={"alg": "HS256", "kid": "another"}),
            f'{encoded({"alg": "EdDSA"})}.{claims}.{code}',
            f'{encoded({"alg": "ES256"})}.{claims}.{encoded(bytes(64))}',
            signed(header={"alg": "HS256", "crit": ["exp"]}),
            # It is encrypted, and compressed before that.
            ".".join([encoded({"alg": "dir", "enc": "A128GCM", "zip": "DEF"}), "", encoded(bytes(12)), claims,
                      encoded(bytes(16))]),
        )}
        self.assertEqual(len(said), 1, said)

    def test_a_token_of_100_kb_is_refused_by_its_length(self):
        client = self.connect(self.router)
        client.hello("device", device="d-1", token=signed(more="x" * 100_000))
        self.assertEqual(client.expect_end(), "frame-length")
        self.admitted("device", device="d-1", token=signed())

    def test_a_gateway_may_not_name_more_than_its_key(self):
        self.admitted("gateway", token=signed(sub="eu-de-*", role="gateway"))
        self.refused("gateway", token=signed(sub="*", role="gateway"))

    def test_another_app_file_leaves_a_gateway_what_its_token_names_and_no_more(self):
        gateway = self.admitted("gateway", token=signed(sub="eu-de-*", role="gateway"))
        wide = self.admitted("gateway", token=signed(sub="eu-*", role="gateway"))
        # The same key at another place, and for fewer devices.
        self.install(gateways=[entry("another"), key(devices=["eu-de-*", "eu-fr-*"])])
        self.assert_ends(wide, "token-revoked")
        gateway.register(widget("w", character="elf-42"), device="eu-de-1")
        seq = gateway.send(WIDGETS, {"device": "eu-fr-1", "widgets": []})
        self.assert_refused(gateway, seq, "device-foreign")

    def test_a_session_ends_with_its_token(self):
        # The router allows for a minute between the clocks.
        device = before_its_end(lambda left: self.admitted(
            "device", device="d-1", token=signed(exp=time.time() - 60 + left)))
        self.assertEqual(device.expect(ERROR).code, "token-expired")

    def test_keys_of_every_algorithm_that_the_commands_make(self):
        for algorithm in ("HS256", "EdDSA", "ES256"):
            with self.subTest(algorithm):
                file = self.folder / algorithm
                made = command("token", "new", "--key", algorithm, "--out", file, "--id", "k")
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertEqual(file.stat().st_mode & 0o777, 0o600)
                listed = json.loads(made.stdout.split("app file:")[1])
                self.install(devices=[listed])
                token = command("token", "sign", "--key", file, "--app", APP, "--name", "d-1").stdout
                self.admitted("device", device="d-1", token=token.strip())
                self.refused("device", device="d-2", token=token.strip())
                self.refused("device", device="d-1", token=signed())

    def test_the_examples_for_backends_sign_what_lets_in(self):
        for program, algorithms in (("python3 sign_token.py", ["HS256"]),
                                    ("node sign_token.mjs", ["HS256", "EdDSA", "ES256"])):
            run, script = program.split()
            if not shutil.which(run):
                self.skipTest(f"there is no {run}")
            for algorithm in algorithms:
                with self.subTest(program, algorithm=algorithm):
                    file = self.folder / f"{run}-{algorithm}"
                    made = command("token", "new", "--key", algorithm, "--out", file)
                    self.install(devices=[json.loads(made.stdout.split("app file:")[1])])
                    backend = CHECKOUT / "deploy" / "examples" / "backend" / script
                    done = subprocess.run([run, backend, file, APP, "d-1"], capture_output=True,
                                          text=True, timeout=WAIT)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.admitted("device", device="d-1", token=done.stdout.strip())
                    self.refused("device", device="d-2", token=done.stdout.strip())

    def test_many_slow_signatures_at_once_are_all_judged(self):
        file = self.folder / "key"
        made = command("token", "new", "--key", "ES256", "--out", file)
        self.install(publishers=ACCESS["publishers"],
                     devices=[json.loads(made.stdout.split("app file:")[1])])
        publisher = self.publisher()
        tokens = [command("token", "sign", "--key", file, "--app", APP, "--name", f"d-{n}").stdout
                  for n in range(20)]
        clients = [self.connect(self.router) for _ in range(200)]
        for number, client in enumerate(clients):
            wrong = number % 5 == 0
            device = f"d-{number % 20}" if not wrong else "stranger"
            client.hello("device", device=f"{device}", token=tokens[number % 20].strip())
        publisher.pushed(HEALING)
        codes = []
        for client in clients:
            found = client.expect(WELCOME, ERROR)
            codes.append("welcome" if found.type == WELCOME else found.code)
        self.assertEqual(codes.count("token-invalid"), 40)
        self.assertEqual(codes.count("welcome"), 160)

    def test_a_key_that_is_no_point_of_its_curve_is_refused(self):
        keys = (
            {"kty": "EC", "crv": "P-256", "x": encoded(bytes(32)), "y": encoded(bytes(31) + b"\x01")},
            {"kty": "OKP", "crv": "Ed25519", "x": encoded(b"\x02" + bytes(31))},
            # A point of small order: one signature would fit every token.
            {"kty": "OKP", "crv": "Ed25519", "x": encoded(b"\x01" + bytes(31))},
        )
        router = self.start("--admin", "127.0.0.1:0")
        for count, wrong in enumerate(keys, 1):
            file = app(devices=[{"id": "k", "jwk": wrong}])
            with self.subTest(wrong):
                router.apps.write_text(json.dumps(file))
                router.signal(signal.SIGHUP)
                router.wait_log("is no point of its curve", count)
                self.assertIn("no point", command("check", "--apps", router.apps).stderr)
                for path, method in (("/v1/app-file", "PUT"), ("/v1/app-file/validate", "POST")):
                    answer = ask(router, path, method, json.dumps(file),
                                 {"Content-Type": "application/json"})
                    self.assertEqual(answer.status, 400, answer.text)
                    self.assertIn("no point", answer.problem["detail"])
        self.admitted("device", device="d-1", token=signed())

    def test_a_key_that_is_not_for_verifying_is_refused_by_its_member(self):
        for members, word in (({"use": "enc"}, "jwk.use (app com.mygame): the key is for another use"),
                              ({"key_ops": ["sign"]}, "jwk.key_ops (app com.mygame): it must be a list")):
            with self.subTest(members):
                entry = key("k")
                self.router.apps.write_text(json.dumps(app(devices=[entry | {"jwk": entry["jwk"] | members}])))
                said = command("check", "--apps", self.router.apps).stderr
                self.assertIn(word, said)

    def test_a_secret_that_is_shorter_than_a_random_one_is_refused(self):
        for secret in (b"", b"correct horse battery staple", SECRET[:-1]):
            self.router.apps.write_text(json.dumps(app(devices=[key(secret=secret)])))
            done = command("check", "--apps", self.router.apps)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("it must be 32 random bytes or more", done.stderr)
        self.router.apps.write_text(json.dumps(app(devices=[key()])))
        self.assertEqual(command("check", "--apps", self.router.apps).returncode, 0)

    def test_header_and_claims_are_in_utf_8(self):
        def token(header="utf-8", claims="utf-8"):
            made = json.dumps({"sub": "Köln", "aud": APP, "role": "device", "exp": int(time.time()) + 600},
                              ensure_ascii=False)
            text = f"{encoded(json.dumps({'alg': 'HS256', 'x': 'ö'}, ensure_ascii=False).encode(header))}."
            text += encoded(made.encode(claims))
            return f"{text}.{encoded(hmac.digest(SECRET, text.encode(), hashlib.sha256))}"
        self.admitted("device", device="Köln", token=token())
        for other in ("utf-16", "utf-16-le", "utf-32-be", "latin-1"):
            with self.subTest(other):
                self.refused("device", device="Köln", token=token(header=other))
                self.refused("device", device="Köln", token=token(claims=other))

    def test_what_a_header_says_of_a_kind_of_token_does_not_count(self):
        for kind in ("JWT", "jwt", "application/at+jwt", 7, None):
            self.admitted("device", device="d-1", token=signed(header={"alg": "HS256", "typ": kind}))
            self.refused("device", device="d-1", token=signed(header={"alg": "HS256", "typ": kind}, role=None))

    def test_a_key_in_a_file_that_all_can_read_is_refused_with_the_line_that_helps(self):
        self.router.apps.chmod(0o644)
        self.router.signal(signal.SIGHUP)
        self.router.wait_log(f"chmod 600 {self.router.apps}")
        self.admitted("device", device="d-1", token=signed())


class RevokedTokens(TokenCase):
    """The tokens of one device are revoked, and those of others, by the same key, are not."""

    access = {"publishers": ACCESS["publishers"], "devices": [key(), entry("shared-by-devices")],
              "gateways": [key(devices=["d-*"])]}

    def setUp(self):
        super().setUp()
        self.start("--admin", "127.0.0.1:0")
        self.now = int(time.time())

    def let_in(self, device="d-1", **claims):
        client = self.admitted("device", device=device, token=signed(sub=device, **claims))
        client.register(widget("w", character="elf-42"), device=device)
        return client

    def test_its_sessions_end_and_its_older_tokens_are_refused_also_after_a_kill(self):
        old, ageless = self.let_in(iat=self.now - 100), signed(iat=None)
        other, new = self.let_in("d-2", iat=self.now - 100), signed(iat=self.now + 2)
        gateway = self.admitted("gateway", token=signed(role="gateway", sub="d-*"))
        answer = revoke(self.router, "d-1").json
        self.assertEqual((answer["device"], answer["sessionsEnded"]), ("d-1", 1))
        self.assertLess(abs(answer["before"] - now_ms()), 60_000)
        ended = old.expect(ERROR)
        self.assertEqual((ended.code, ended.json["retry"]), ("token-revoked", "no"))
        for restarts in range(3):
            for token in (signed(iat=self.now - 100), ageless):
                said = self.refused("device", "token-revoked", device="d-1", token=token)
                self.assertIn("tokens of device d-1 that were signed (iat) before 20", said)
            self.admitted("device", device="d-1", token=new).close()
            self.admitted("device", device="d-1", token="shared-by-devices").close()
            if restarts == 0:
                other.barrier()
                gateway.register(widget("w", character="elf-42"), device="d-3")
            self.admitted("device", device="d-2", token=signed(sub="d-2", iat=self.now - 100)).close()
            self.assertEqual(metrics(self.router)["token_revocations"], 1)
            # From the journal, after a kill, and then from a checkpoint.
            self.router.restart(kill=restarts == 0)

    def test_a_token_that_is_new_keeps_its_session(self):
        client = self.let_in(iat=self.now)
        answer = revoke(self.router, "d-1", before=(self.now - 5) * 1_000).json
        self.assertEqual(answer["sessionsEnded"], 0)
        client.barrier()
        # An earlier date changes nothing.
        self.assertEqual(revoke(self.router, "d-1", before=(self.now - 60) * 1_000).json["before"], (self.now - 5) * 1_000)
        self.refused("device", "token-revoked", device="d-1", token=signed(iat=self.now - 6))

    def test_a_session_that_an_app_file_has_ended_is_left_alone(self):
        """It has its connection still, and the number of a credential that is gone."""
        gateway = self.admitted("gateway", token=signed(role="gateway", sub="d-*"))
        self.install(devices=[entry("shared-by-devices")])
        self.assertEqual(revoke(self.router, "d-1").json["sessionsEnded"], 0)
        self.assertEqual(gateway.expect(ERROR).code, "token-revoked")

    def test_a_session_whose_token_has_a_date_far_ahead_ends_with_the_others(self):
        client = self.let_in(iat=self.now + 3_600)
        self.assertEqual(revoke(self.router, "d-1").json["sessionsEnded"], 1)
        self.assertEqual(client.expect(ERROR).code, "token-revoked")

    def test_a_token_that_leaks_again_is_refused_by_its_date_in_the_future(self):
        revoke(self.router, "d-1")
        said = self.refused("device", device="d-1", token=signed(iat=self.now + 3_600))
        self.assertIn("is good from", said)

    def test_what_cannot_be_is_refused_with_a_sentence(self):
        for members, text in (({"before": now_ms() + 3_600_000}, "a date that has come"),
                              ({"before": self.now}, "looks like"), ({"befor": 1}, "did you mean before?")):
            answer = revoke(self.router, "d-1", **members)
            self.assertEqual((answer.status, answer.problem["code"]), (400, "body-invalid"))
            self.assertIn(text, answer.problem["detail"])
        answer = ask(self.router, "/v1/apps/com.none/revocations/d-1", "PUT")
        self.assertEqual((answer.status, answer.problem["code"]), (404, "app-unknown"))

    def test_what_keeps_no_device_out_is_said(self):
        self.assertIsNone(revoke(self.router, "d-1").json["hint"])
        self.install(publishers=ACCESS["publishers"], devices=[entry("shared-by-devices")])
        self.assertIn("no key for signed tokens", revoke(self.router, "d-1").json["hint"])
        self.install(publishers=ACCESS["publishers"], devices="open")
        self.assertIn("the role is open", revoke(self.router, "d-1").json["hint"])
        said = command("token", "revoke", APP, "d-1", "--to", "http://%s:%d" % self.router.admin)
        self.assertEqual(said.returncode, 0)
        self.assertIn("the role is open", said.stderr)

    def test_the_command_revokes_lists_and_takes_back(self):
        client = self.let_in(iat=self.now - 100)
        server = "http://%s:%d" % self.router.admin
        said = command("token", "revoke", APP, "d-1", "--to", server)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stdout, rf"^{APP} d-1: tokens issued before 20.*Z are revoked; 1 session ended\n$")
        self.assertEqual(client.expect(ERROR).code, "token-revoked")
        said = command("token", "revoke", APP, "d-2", "--before", "2026-01-01T00:00:00Z", "--to", server)
        self.assertIn("before 2026-01-01T00:00:00.000Z are revoked; 0 sessions ended", said.stdout)
        for before, text in (("2099-01-01T00:00:00Z", "it must be a date up to now"),
                             (str(self.now), "it must be a date up to now"), ("now", "write it as 2026-")):
            said = command("token", "revoke", APP, "d-2", "--before", before, "--to", server)
            self.assertEqual(said.returncode, 64)
            self.assertIn(f"--before is {before}; {text}", said.stderr)
        said = command("token", "revoke", APP, "d-2", "--before", "2025-01-01T00:00:00Z", "--to", server)
        self.assertIn("before 2026-01-01T00:00:00.000Z stay revoked: the earlier --before changes nothing; 0 sessions", said.stdout)
        listed = command("token", "revocations", APP, "--to", server).stdout.splitlines()
        self.assertEqual([line.split("  ")[1] for line in listed], ["d-1", "d-2"])
        self.assertEqual(command("token", "revoke", "--undo", APP, "d-1", "--to", server).returncode, 0)
        again = command("token", "revoke", "--undo", APP, "d-1", "--to", server)
        self.assertEqual(again.returncode, 1)
        self.assertIn("no tokens of d-1", again.stderr)
        self.let_in(iat=self.now - 100)

    def test_who_has_revoked_what_is_in_the_audit_log(self):
        self.let_in(iat=self.now - 100)
        revoke(self.router, "d-1", before=(self.now - 1) * 1_000)
        log = self.router.store.with_name(self.router.store.name + ".audit.jsonl")
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        line = next(line for line in lines if line.get("state") == "done" and "revocations" in line["command"])
        self.assertEqual(line["command"], f"PUT /v1/apps/{APP}/revocations/d-1")
        self.assertEqual(line["before"], {"app": APP, "device": "d-1", "revokedBefore": None})
        self.assertRegex(line["after"]["revokedBefore"], r"^20.*\.000Z$")


class OpenRoles(RouterCase):
    def setUp(self):
        self.clients, self.routers = [], []
        self.addCleanup(self.put_away)

    def test_they_are_for_this_machine_alone(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        apps = pathlib.Path(folder.name) / "apps.json"
        apps.write_text(json.dumps(app(publishers="open")))
        cert = command("cert", "new", "--out", folder.name)
        self.assertEqual(cert.returncode, 0, cert.stderr)
        flags = ("--listen", "0.0.0.0:0", "--apps", apps, "--store", "none",
                 "--cert", f"{folder.name}/cert.pem", "--key", f"{folder.name}/key.pem")
        done = command("serve", *flags)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('lets everybody be a publisher ("open")', done.stderr)
        self.assertIn("--insecure", done.stderr)

    def test_a_running_router_refuses_them_too(self):
        certificates = tempfile.TemporaryDirectory()
        self.addCleanup(certificates.cleanup)
        command("cert", "new", "--out", certificates.name)
        router = self.start("--cert", f"{certificates.name}/cert.pem",
                            "--key", f"{certificates.name}/key.pem", "--admin", "127.0.0.1:0",
                            listen="0.0.0.0:0", apps=app(**ACCESS))
        answer = put_app_file(router, app(**OPEN))
        self.assertEqual((answer.status, answer.problem["code"]), (409, "role-open"))
        router.apps.write_text(json.dumps(app(**OPEN)))
        router.signal(signal.SIGHUP)
        router.wait_log("app file refused")

    def test_what_is_for_trials_is_said_as_long_as_it_is_so(self):
        router = self.start("--admin", "127.0.0.1:0", apps=app(publishers="open", **{
            "devices": ACCESS["devices"]}))
        said = [f"{APP}: everybody may be a publisher: the role is open",
                f"{APP}: devices share the token {ACCESS['devices'][0]['id']}: each can speak for "
                "all; sign a token for each device"]
        self.assertEqual(ask(router, "/readyz").text.splitlines(),
                         ["ready", *(f"for trials only: {one}" for one in said)])
        self.assertEqual(ask(router, "/v1/status").json["warnings"], said)
        self.assertEqual(put_app_file(router, app(publishers=ACCESS["publishers"])).status, 200)
        wait_until(lambda: ask(router, "/readyz").text == "ready\n", "nothing is for trials")

    def test_strangers_do_not_learn_what_is_for_trials(self):
        router = self.start("--admin", "127.0.0.1:0", apps=app(publishers="open"))
        self.assertEqual(ask(router, "/readyz", headers={"Authorization": None}).text, "ready\n")
        self.assertNotEqual(ask(router, "/readyz").text, "ready\n")

    def test_insecure_allows_them(self):
        router = self.start("--insecure", listen="0.0.0.0:0", apps=app(**OPEN))
        client = self.connect(router)
        client.hello("publisher", producer="p")
        client.expect(WELCOME)
        router.wait_log("everybody may be a publisher")


class Commands(TokenCase):
    def test_a_new_token_and_its_entry_let_in(self):
        made = command("token", "new", "--id", "ci", "--producers", "shard-*",
                       "--not-after", "2096-01-01T00:00:00Z")
        token = made.stdout.splitlines()[0].split()[1]
        self.install(publishers=[json.loads(made.stdout.split("app file:")[1])])
        self.admitted("publisher", token=token, producer="shard-1")
        self.refused("publisher", token=token, producer="p")
        checked = command("check", "--apps", self.router.apps)
        self.assertIn("com.mygame publisher: ci, a token, producers shard-*, "
                      "until 2096-01-01T00:00:00Z", checked.stdout)
        self.assertIn("com.mygame device: closed", checked.stdout)

    def test_credentials_without_a_name_get_different_ones_and_no_key_is_written_over(self):
        file = self.folder / "key.jwk"
        made = [command("token", "new"), command("token", "new"),
                command("token", "new", "--key", "EdDSA", "--out", file)]
        names = {json.loads(one.stdout.split("app file:")[1])["id"] for one in made}
        self.assertEqual(len(names), 3)
        written = file.read_bytes()
        again = command("token", "new", "--key", "EdDSA", "--out", file)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("give another file", again.stderr)
        self.assertEqual(file.read_bytes(), written)

    def test_a_token_that_exists_is_taken_from_standard_input(self):
        made = command("token", "new", "--stdin", input=TOKENS["publisher"] + "-long-enough\n")
        listed = json.loads(made.stdout.split("app file:")[1])
        digest = hashlib.sha256(f'{TOKENS["publisher"]}-long-enough'.encode()).hexdigest()
        self.assertEqual(listed["sha256"], digest)
        self.assertNotIn(TOKENS["publisher"], made.stdout)
        short = command("token", "new", "--stdin", input="short\n")
        self.assertNotEqual(short.returncode, 0)

    def test_what_is_wrong_is_said(self):
        for arguments, said in (
            (("new", "--producers", "a*b"), "only at the end"),
            (("new", "--producers", "a", "--devices", "b"), "--producers or for --devices"),
            (("new", "--key", "RS256", "--out", "x"), "HS256, EdDSA or ES256"),
            (("new", "--key", "HS256"), "belong together"),
            (("new", "--not-after", "soon"), "2027-01-01T00:00:00Z"),
            (("sign", "--key", "/nowhere", "--app", "a", "--name", "d"), "/nowhere"),
            (("sign", "--key", "x", "--app", "a", "--name", "d", "--role", "king"), "gateway"),
        ):
            with self.subTest(arguments):
                done = command("token", *arguments)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)


class TokenFiles(TokenCase):
    """`--token-file`, which is read again for each connection."""

    def write(self, token):
        """Replaces the file as a whole, as a tool that rotates tokens does."""
        new = self.folder / "token.new"
        new.write_text(f"{token}\n")
        new.chmod(0o600)
        new.replace(self.folder / "token")

    def begin(self, *arguments):
        """A command that goes on; its output is in files."""
        out = open(self.folder / "out", "wb")
        self.addCleanup(out.close)
        process = subprocess.Popen(
            [binary(), *map(str, arguments), "--app", APP, "--to", self.router.to, "--token-file",
             str(self.folder / "token")], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT,
            env=clean_environment())
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdin.close)
        return process

    def wait_said(self, text, count=1):
        wait_until(lambda: (self.folder / "out").read_text().count(text) >= count,
                   f"{text!r} in the output", timeout=20)

    def test_a_publisher_whose_token_expires_continues_with_the_next(self):
        self.install(publishers=[entry("first-token"), entry("second-token")], devices=ACCESS["devices"])
        device = self.device("d-1", widget("w", character="elf-42"))
        self.write("first-token")
        push = self.begin("push", "-", "--producer", "shard-7")
        push.stdin.write(b'{"character":"elf-42"}\n')
        push.stdin.flush()
        device.expect(RELOAD)
        self.write("second-token")
        self.install(publishers=[entry("first-token", notAfter=date(3)), entry("second-token")],
                     devices=ACCESS["devices"])
        # Where its end has passed before the file is in force, it is revoked.
        wait_until(lambda: re.search("token-(expired|revoked)", (self.folder / "out").read_text()), "its end")
        push.stdin.write(b'{"character":"elf-42"}\n')
        push.stdin.close()
        self.assertEqual(push.wait(60 * PATIENCE), 0, (self.folder / "out").read_text())
        publisher = self.session("publisher", producer="shard-7", token="second-token")
        self.assertEqual(publisher.welcome["lastSeq"], 2)

    def test_a_device_whose_token_is_revoked_continues_with_the_next(self):
        self.install(publishers=ACCESS["publishers"], devices=[entry("first-token")])
        self.write("first-token")
        self.begin("device", "--device", "d-1", "--widget", f"{DETAIL}:w:character=elf-42")
        publisher = self.publisher()
        wait_until(lambda: publisher.pushed(HEALING) == 1, "the device is registered")
        self.write("second-token")
        self.install(publishers=ACCESS["publishers"], devices=[entry("second-token")])
        self.wait_said("token-revoked")
        wait_until(lambda: publisher.pushed(HEALING) == 1, "it is registered again")

    def test_a_file_without_a_token_is_said(self):
        missing = self.folder / "nothing"
        done = command("push", "--app", APP, "--to", self.router.to, "--token-file", missing, "{}")
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"there is no token: --token-file is {missing}: No such file", done.stderr)
        missing.write_text("\n")
        missing.chmod(0o644)
        done = command("push", "--app", APP, "--to", self.router.to, "--token-file", missing, "{}")
        self.assertIn(f"chmod 600 {missing}", done.stderr)
        missing.chmod(0o600)
        done = command("push", "--app", APP, "--to", self.router.to, "--token-file", missing, "{}")
        self.assertIn("its first line is no token", done.stderr)
        both = command("push", "--app", APP, "--token", "x", "--token-file", missing, "{}")
        self.assertEqual(both.returncode, 64)


class Certificates(TokenCase):
    def setUp(self):
        self.certificates = tempfile.TemporaryDirectory()
        self.addCleanup(self.certificates.cleanup)
        folder = self.certificates.name
        command("cert", "new", "--out", folder)
        for name in ("shard-1.game.example", "stranger.example"):
            own = pathlib.Path(folder, name)
            own.mkdir()
            for file in ("ca.pem", "ca-key.pem"):
                (own / file).write_bytes(pathlib.Path(folder, file).read_bytes())
                (own / file).chmod(0o600)
            command("cert", "new", "--out", own, name)
        command("cert", "new", "--out", f"{folder}/elsewhere", "shard-1.game.example")
        shutil.copy(f"{folder}/ca.pem", f"{folder}/clients.pem")
        super().setUp()

    access = {"publishers": [{"id": "shards", "certificate": "dns:shard-1.game.example",
                              "producers": ["shard-*"]}], "devices": ACCESS["devices"]}

    @property
    def flags(self):
        folder = self.certificates.name
        return ("--cert", f"{folder}/cert.pem", "--key", f"{folder}/key.pem",
                "--client-ca", f"{folder}/clients.pem")

    def push(self, identity, producer="shard-1", *more):
        folder = self.certificates.name
        own = () if identity is None else (
            "--cert", f"{folder}/{identity}/cert.pem", "--key", f"{folder}/{identity}/key.pem")
        return command("push", "--app", APP, "--to", self.router.to, "--producer", producer,
                       "--ca", f"{folder}/ca.pem", *own, *more, '{"character":"elf-42"}')

    def test_a_publisher_with_a_listed_certificate_needs_no_token(self):
        done = self.push("shard-1.game.example")
        self.assertEqual(done.returncode, 0, done.stderr)
        wrong = self.push("shard-1.game.example", "cms")
        self.assertIn("is not for producer cms", wrong.stderr)

    def test_other_certificates_and_none_let_no_one_in(self):
        self.assertIn("token-invalid", self.push("stranger.example").stderr)
        self.assertIn("token-invalid", self.push(None).stderr)
        foreign = self.push("elsewhere")
        self.assertNotEqual(foreign.returncode, 0)
        self.assertNotIn("token-invalid", foreign.stderr)
        self.router.wait_log("TLS handshake failed")

    def test_another_authority_ends_the_sessions_that_the_former_one_let_in(self):
        folder = pathlib.Path(self.certificates.name)
        identity = folder / "shard-1.game.example"
        context = ssl.create_default_context(cafile=folder / "ca.pem")
        nameless = ssl.create_default_context(cafile=folder / "ca.pem")
        context.load_cert_chain(identity / "cert.pem", identity / "key.pem")

        def secure(context):
            return lambda raw: context.wrap_socket(raw, server_hostname="localhost")

        publisher = self.connect(security=secure(context))
        publisher.send_raw(frame(HELLO, 0, {"v": 1, "role": "publisher", "app": APP,
                                            "producer": "shard-1"}))
        publisher.expect(WELCOME)
        device = self.device("d-1", security=secure(nameless))
        for authorities, ends in (("ca.pem", "elsewhere/ca.pem"), False), (("elsewhere/ca.pem",), True):
            count = self.router.log.count("certificates read again")
            texts = [(folder / name).read_bytes() for name in authorities]
            (folder / "clients.pem").write_bytes(b"".join(texts))
            self.router.signal(signal.SIGHUP)
            self.router.wait_log("certificates read again", count + 1)
            if ends:
                self.assert_ends(publisher, "token-revoked")
            else:
                publisher.pushed(HEALING)
            device.barrier()

    def test_what_is_sent_together_with_the_end_is_answered(self):
        """HELLO, a push and the end of TLS in one segment."""
        folder = self.certificates.name
        context = ssl.create_default_context(cafile=f"{folder}/ca.pem")
        identity = f"{folder}/shard-1.game.example"
        context.load_cert_chain(f"{identity}/cert.pem", f"{identity}/key.pem")
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
        with socket.create_connection(self.router.address, timeout=WAIT) as peer:
            while True:
                try:
                    session.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    peer.sendall(outgoing.read())
                    incoming.write(peer.recv(1 << 16))
            hello = {"v": 1, "role": "publisher", "app": APP, "producer": "shard-1"}
            session.write(frame(HELLO, 0, hello) + frame(PUSH, 1, HEALING))
            with contextlib.suppress(ssl.SSLWantReadError):
                session.unwrap()
            peer.sendall(outgoing.read())
            found = b""
            while data := peer.recv(1 << 16):
                incoming.write(data)
                with contextlib.suppress(ssl.SSLWantReadError, ssl.SSLZeroReturnError):
                    while more := session.read(1 << 16):
                        found += more
        types = []
        while found:
            length = int.from_bytes(found[:4], "big")
            types.append(found[4])
            found = found[4 + length:]
        self.assertEqual(types, [WELCOME, ACK])

    def test_a_device_with_a_token_needs_no_certificate(self):
        folder = self.certificates.name
        done = command("push", "--app", APP, "--to", self.router.to, "--ca", f"{folder}/ca.pem",
                       "--token", TOKENS["device"], '{}')
        self.assertIn("token-invalid", done.stderr)


class SecretsAtRest(TokenCase):
    access = {"publishers": [entry(TOKENS["publisher"])], "devices": [key()],
              "gateways": "open"}

    def test_no_file_log_or_answer_has_a_secret(self):
        recording = self.folder / "recording.rlc"
        router = self.start("--admin", "127.0.0.1:0", "--record", recording, level="trace")
        device = self.admitted("device", device="d-1", token=(token := signed()))
        device.register(widget("w", character="elf-42"), device="d-1")
        self.publisher(router=router).pushed(HEALING)
        self.refused("publisher", token=(wrong := "wrong-secret-0123456789"), producer="p")
        answers = [ask(router, path).text for path in (
            "/metrics", "/v1/app-file", f"/v1/apps/{APP}", "/v1/status", "/v1/connections",
            "/v1/devices/d-1?app=com.mygame", "/v1/history")]
        self.assertEqual(router.stop(), 0)
        dump = command("store", "dump", "--store", router.store).stdout
        self.assertIn('"apps"', dump)
        files = [p.read_bytes() for p in (*router.store.rglob("*"), recording) if p.is_file()]
        self.assertGreater(len(files), 3)
        said = "\n".join([*answers, dump, router.log, router.output]).encode()
        for secret in (TOKENS["publisher"], token, token.split(".")[2], wrong, encoded(SECRET)):
            for where in (said, *files):
                self.assertNotIn(secret.encode(), where)


if __name__ == "__main__":
    unittest.main()
