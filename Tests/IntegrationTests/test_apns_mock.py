"""reload-lab apns-mock, asked by clients that are not ours: curl and h2load."""

import base64
import json
import signal
import subprocess
import tempfile
import time
import unittest
import uuid

from support import PATIENCE, clean_environment, command, lab, lab_binary

TOKEN = "00ff" * 16
TOPIC = "com.mygame.push-type.widgets"
BODY = '{"aps":{"content-changed":true}}'


def encode(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def provider_token(age=0, **changes):
    header = {"alg": "ES256", "kid": "ABCDE12345", **changes}
    claims = {"iss": "TEAM012345", "iat": int(time.time()) - age}
    return f"{encode(header)}.{encode(claims)}.c2lnbmF0dXJl"


class Mock(unittest.TestCase):
    def start(self, *flags, secure=False):
        flags = [str(flag) for flag in flags]
        if not secure:
            flags.append("--plaintext")
        self.process = subprocess.Popen(
            [lab_binary(), "apns-mock", "--listen", "127.0.0.1:0", *flags],
            stdout=subprocess.PIPE, text=True, env=clean_environment())
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def report(self):
        self.process.send_signal(signal.SIGTERM)
        return json.loads(self.process.stdout.read())

    def push(self, token=TOKEN, bearer=None, body=BODY, curl=("--http2-prior-knowledge",),
             scheme="http", method="POST", **fields):
        """The status, the reason and the apns-id of one push; a field of None is left out."""
        fields = {"apns-push-type": "widgets", "apns-topic": TOPIC, "apns-priority": "5",
                  "authorization": f"bearer {bearer or provider_token()}",
                  **{name.replace("_", "-"): value for name, value in fields.items()}}
        arguments = ["curl", "-sS", *curl, "-X", method, "-d", body, "-H", "content-type:",
                     "-w", "\n%{http_code} %header{apns-id}"]
        for name, value in fields.items():
            if value is not None:
                arguments += ["-H", f"{name}: {value}"]
        done = subprocess.run([*arguments, f"{scheme}://localhost:{self.port}/3/device/{token}"],
                              capture_output=True, text=True, timeout=30 * PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer, line = done.stdout.rsplit("\n", 1)
        status, _, name = line.partition(" ")
        return int(status), json.loads(answer) if answer else None, name


class Answers(Mock):
    def test_a_push_is_accepted_and_named(self):
        self.start()
        own = str(uuid.uuid4())
        self.assertEqual(self.push(apns_id=own), (200, None, own))
        status, answer, name = self.push()
        self.assertEqual((status, answer), (200, None))
        self.assertEqual(str(uuid.UUID(name)), name)
        self.assertEqual(self.report(), {"connections": 2, "accepted": 2})

    def test_what_is_wrong_with_a_push_is_its_reason(self):
        self.start("--bundle", "com.mygame")
        cases = [
            (400, "BadDeviceToken", {"token": "xyz"}),
            (400, "MissingTopic", {"apns_topic": None}),
            (400, "DeviceTokenNotForTopic", {"apns_topic": "com.mygame"}),
            (400, "TopicDisallowed", {"apns_topic": "com.other.push-type.widgets"}),
            (400, "InvalidPushType", {"apns_push_type": "toast"}),
            (400, "BadPriority", {"apns_priority": "7"}),
            (400, "BadMessageId", {"apns_id": "7"}),
            (400, "BadCollapseId", {"apns_collapse_id": "a" * 65}),
            (400, "PayloadEmpty", {"body": "[]"}),
            (400, "BadExpirationDate", {"apns_expiration": "soon"}),
            (400, "PayloadEmpty", {"body": ""}),
            (413, "PayloadTooLarge", {"body": "x" * 4_097}),
            (403, "MissingProviderToken", {"authorization": None}),
            (403, "InvalidProviderToken", {"bearer": provider_token(alg="none")}),
            (403, "ExpiredProviderToken", {"bearer": provider_token(age=3_700)}),
            (405, "MethodNotAllowed", {"method": "PUT"}),
        ]
        for status, reason, change in cases:
            with self.subTest(reason):
                found = self.push(**change)
                self.assertEqual(found[:2], (status, {"reason": reason}))

    def test_an_answer_says_what_is_wrong_or_odd_in_words(self):
        self.start("--requests", "/dev/null")

        def why(**change):
            done = subprocess.run(
                ["curl", "-sS", "--http2-prior-knowledge", "-d", BODY, "-w", "\n%{http_code} %header{apns-mock-why}",
                 *[word for name, value in change.items() for word in ("-H", f"{name.replace('_', '-')}: {value}")],
                 f"http://localhost:{self.port}/3/device/{TOKEN}"],
                capture_output=True, text=True, timeout=30 * PATIENCE)
            return done.stdout.rsplit("\n", 1)[1]

        good = {"apns-push-type": "alert", "apns-topic": "com.mygame"}
        signed = lambda claims: f"bearer {encode({'alg': 'ES256', 'kid': 'ABCDE12345'})}.{encode(claims)}.c2ln"
        now = int(time.time())
        self.assertEqual(why(**good, authorization=signed({"iss": "TEAM012345", "iat": now})), "200 ")
        self.assertIn("200 the provider token's claim iat is a text",
                      why(**good, authorization=signed({"iss": "TEAM012345", "iat": str(now)})))
        self.assertIn("403 the provider token: its claims have no iss", why(**good, authorization=signed({"iat": now})))
        self.assertIn("403 there is no field authorization", why(**good))

    def test_requests_are_written_down_with_their_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/requests.jsonl"
            self.start("--requests", path)
            name = self.push()[2]
            self.push("xyz", apns_id=name, apns_priority="10")
            with open(path) as file:
                found = [json.loads(line) for line in file]
        self.assertEqual([len(request.pop("providerToken")) for request in found], [64, 64])
        same = {"topic": TOPIC, "type": "widgets", "expiration": None, "payload": BODY,
                "certificate": False, "authorization": True, "why": None}
        self.assertEqual(found, [
            {"token": TOKEN, **same, "priority": "5", "id": None, "status": 200, "reason": None},
            {"token": "xyz", **same, "priority": "10", "id": name, "status": 400, "reason": "BadDeviceToken",
             "why": "the device's token is no even number of hexadecimal digits"}])

    def test_a_dead_token_has_its_date_and_an_outage_its_reason(self):
        dead = "dead" * 16
        self.start("--dead", dead, "--outage", "0:3600:ServiceUnavailable:0")
        status, answer, _ = self.push(dead)
        self.assertEqual((status, answer["reason"]), (410, "Unregistered"))
        self.assertLess(abs(answer["timestamp"] / 1_000 - time.time()), 60)
        self.start("--outage", "0:3600:ServiceUnavailable")
        self.assertEqual(self.push()[:2], (503, {"reason": "ServiceUnavailable"}))

    def test_with_tls_it_speaks_http2_by_alpn(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        done = command("cert", "new", "--out", folder.name, "localhost")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.start("--cert", f"{folder.name}/cert.pem", "--key", f"{folder.name}/key.pem",
                   secure=True)
        curl = ("--http2", "--cacert", f"{folder.name}/ca.pem")
        self.assertEqual(self.push(scheme="https", curl=curl)[:2], (200, None))


class Streams(Mock):
    def test_thousands_of_pushes_on_many_streams_are_counted(self):
        # h2load does not wait for the server's settings.
        self.start("--first-streams", 1_000)
        done = subprocess.run(self.h2load(5_000),
                              capture_output=True, text=True, timeout=60 * PATIENCE)
        self.assertIn("5000 succeeded", done.stdout, done.stdout + done.stderr)
        self.assertEqual(self.report(), {"connections": 2, "accepted": 5_000})

    def h2load(self, count):
        body = tempfile.NamedTemporaryFile("w", suffix=".json")
        self.addCleanup(body.close)
        body.write(BODY)
        body.flush()
        return ["h2load", "-n", str(count), "-c", "2", "-m", "50", "-d", body.name,
                "-H", f"authorization: bearer {provider_token()}", "-H", "apns-push-type: widgets",
                "-H", f"apns-topic: {TOPIC}", f"http://127.0.0.1:{self.port}/3/device/{TOKEN}"]


class Options(unittest.TestCase):
    def test_wrong_options_are_refused_with_a_sentence(self):
        for arguments, word in [
            (("--listen", "x:y"), "HOST:PORT"),
            ((), "--cert and --key are missing"),
            (("--plaintext", "--outage", "1:2"), "START:SECONDS:REASON"),
            (("--plaintext", "--outage", "0:9:Tired"), "the reasons are BadCollapseId"),
            (("--plaintext", "--outage", "1e300:2:none"), "must be from 0 to 31536000 s"),
            (("--plaintext", "--idle", "nan"), "must be from 0"),
            (("--plaintext", "--streams=-5"), "must be from 1"),
            (("--plaintext", "--first-streams=0"), "must be from 1"),
            (("--plaintext", "--delay=-1"), "--delay is -1"),
            (("--plaintext", "--goaway-after=0"), "--goaway-after is 0"),
            (("--plaintext", "--team-key", "x"), "ID=FILE"),
            (("--plaintext", "--team-key", "x=/nowhere"), "No such file"),
            (("--plaintext", "--requests", "/nowhere/file"), "No such file"),
        ]:
            with self.subTest(arguments):
                done = lab("apns-mock", *arguments)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main()
