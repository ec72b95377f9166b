"""A mock of Apple's push service, and keys, for tests of routers that push."""

import base64
import collections
import json
import pathlib
import signal
import subprocess

from support import *

TEAM = "TEAM012345"
#: The id of a key, as an app file names it.
KEY = "KEY0123456"
BUNDLE = "com.mygame"
TOPIC = f"{BUNDLE}.push-type.widgets"


def settings(key=KEY, team=TEAM, bundle=BUNDLE, **more):
    """The member `apns` of an app, which is reached as soon as a session has ended."""
    return {"team": team, "key": key, "bundle": bundle, "grace": 0, "pushesPerDay": 1_000, **more}


def make_key(folder, key=KEY):
    """Makes a key file as Apple does; returns the file of its public part, a JWK, as the mock wants it."""
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    path = folder / f"AuthKey_{key}.p8"
    path.unlink(missing_ok=True)
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)
    path.chmod(0o600)
    point = openssl("pkey", "-in", path, "-pubout", "-outform", "DER")[-64:]
    x, y = (base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (point[:32], point[32:]))
    public = folder / f"{key}.jwk"
    public.write_text(json.dumps({"kty": "EC", "crv": "P-256", "x": x, "y": y}))
    return public


def openssl(*arguments):
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, timeout=60 * PATIENCE)
    if done.returncode:
        raise AssertionError(f"openssl {arguments}: {done.stderr.decode()}")
    return done.stdout


def token(number):
    """The push token of a device of the tests."""
    return f"{number:08x}" * 8


class Mock:
    """`reload-lab apns-mock` as a process that writes down its requests."""

    def __init__(self, folder, *flags, port=0, secure=()):
        self.file = pathlib.Path(folder) / "requests.jsonl"
        self.file.touch()
        # Another mock may follow on the same port.
        arguments = ["apns-mock", "--listen", f"127.0.0.1:{port or fixed_port()}", "--requests", self.file,
                     *(secure or ("--plaintext",)), *flags]
        self.process = subprocess.Popen(
            [lab_binary(), *map(str, arguments)], stdout=subprocess.PIPE, text=True, env=clean_environment())
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    @property
    def requests(self):
        """The requests so far, each with its answer, in their order."""
        whole = self.file.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines()]

    def accepted(self):
        """How often a push to each token was accepted."""
        return collections.Counter(r["token"] for r in self.requests if r["status"] == 200)

    def wait_requests(self, count):
        wait_until(lambda: len(self.requests) >= count, f"{count} pushes", 20)
        return self.requests

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def report(self):
        """Ends the mock; returns what it has answered."""
        self.process.send_signal(signal.SIGTERM)
        return json.loads(self.process.stdout.read())
