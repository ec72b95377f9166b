"""What the integration tests share: the real router as a process, and a test case around it.

Nothing here links or imports the router. A test that fails shows what came over the socket.
"""

import atexit
import contextlib
import functools
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from wire import *  # noqa: F403 (the tests take everything from here)
from wire import APP, PATIENCE, REJECT, TOKENS, WAIT, WELCOME, Client

# Files that a group could write decide nothing for a router.
os.umask(0o022)

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]

DETAIL = "com.mygame.character-detail"
PARTY = "com.mygame.party"
GUILD = "com.mygame.guild-wall"
DRAGON = "com.mygame.dragon-watch"
BOARD = "com.mygame.leaderboard"


def entry(token, **members):
    """The credential of a token, as an app file lists it."""
    digest = hashlib.sha256(token.encode()).hexdigest()
    return {"id": f"token-{digest[:8]}", "sha256": digest, **members}


# Who may connect, by the app file.
ACCESS = {f"{role}s": [entry(TOKENS[role])] for role in ("publisher", "device", "gateway")}
OPEN = {"publishers": "open", "devices": "open", "gateways": "open"}
# Every match is a RELOAD at once: what most tests are about.
ANY_TIME = {"budget": "unlimited"}
APPS = {
    "apps": [
        {
            "app": APP,
            **ACCESS,
            "kinds": [
                {"kind": DETAIL, **ANY_TIME, "match": {"character": ["${configuration.character}"]}},
                {"kind": PARTY, **ANY_TIME, "match": {"character": ["${configuration.member}"]}},
                {"kind": DRAGON, **ANY_TIME,
                 "match": {"event": ["dragon"], "region": ["${configuration.region}"]}},
                {"kind": GUILD, **ANY_TIME},
                {"kind": BOARD, **ANY_TIME},
            ],
        },
        {"app": "com.other", **OPEN, "kinds": [{"kind": "com.other.news"}]},
    ]
}
# What each code says about another attempt.
RETRY = {error["code"]: error["retry"]
         for error in json.loads((CHECKOUT / "protocol" / "protocol.json").read_text())["errors"]}
HEALING = {"event": "healing-potion", "character": "elf-42", "amount": 25}


def widget(id, kind=DETAIL, **configuration):
    """One entry of a WIDGETS list."""
    return {"id": id, "kind": kind, "family": "systemSmall", "configuration": configuration}


def wait_until(condition, what, timeout=10.0):
    """Waits for a condition with a deadline; returns what the condition returned.

    Asks often at first, then less: a condition that asks a program takes the processor from other tests.
    """
    timeout *= PATIENCE
    deadline, pause = time.monotonic() + timeout, 0.003
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"after {timeout} s still not: {what}")
        time.sleep(pause)
        pause = min(1.2 * pause, 0.05)


def raise_descriptor_limit():
    """Lets this process (and the routers it starts) open as many sockets as it may."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def fixed_port():
    """A port of 127.0.0.1 for a listener that does not choose one itself, or comes back to its port.

    It is none of those that the system gives to sockets by itself, so that no other test gets it before
    the listener is there, or while it is away.
    """
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.SystemRandom().randrange(10_000, max(first, 11_000))
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


def binary():
    """The router under test."""
    named = os.environ.get("RELOAD_ROUTER")
    if named:
        return named
    for build in ("debug", "release"):
        path = CHECKOUT / ".build" / build / "reload-router"
        if path.exists():
            return str(path)
    raise unittest.SkipTest("no reload-router is built; set RELOAD_ROUTER")


def lab_binary():
    """The laboratory that was built with it."""
    path = pathlib.Path(binary()).with_name("reload-lab")
    if not path.exists():
        raise unittest.SkipTest(f"no reload-lab is built: there is no {path}")
    return str(path)


#: The token of the admin servers of all routers here, in the file where routers and commands find it.
ADMIN_TOKEN = "the-token-of-the-integration-tests"
STATE_FOLDER = tempfile.mkdtemp(prefix="reload-router-state-")
atexit.register(shutil.rmtree, STATE_FOLDER, ignore_errors=True)
os.mkdir(f"{STATE_FOLDER}/reload-router")
with open(os.open(f"{STATE_FOLDER}/reload-router/admin-token", os.O_WRONLY | os.O_CREAT, 0o600), "w") as _file:
    _file.write(f"{ADMIN_TOKEN}\n")


def bearer(token=ADMIN_TOKEN):
    """The header with which an operator asks."""
    return {"Authorization": f"Bearer {token}"}


def clean_environment(extra=None):
    """The environment without the settings and contexts of a router that the caller may have.

    Several routers run at once here: the admin server's one port is left alone, unless a flag says
    otherwise. The laboratory starts the router under test.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith("RELOAD_")}
    ours = {"RELOAD_ROUTER_ADMIN": "none", "RELOAD_LAB_ROUTER": binary(), "XDG_STATE_HOME": STATE_FOLDER,
            "XDG_CONFIG_HOME": STATE_FOLDER}
    return kept | ours | (extra or {})


def command(*arguments, timeout=20, program=None, **options):
    """Runs a subcommand of the router to its end."""
    return subprocess.run(
        [program or binary(), *map(str, arguments)], capture_output=True, text=True,
        timeout=timeout * PATIENCE, env=clean_environment(options.pop("env", None)), **options)


def lab(*arguments, **options):
    """Runs a subcommand of the laboratory to its end."""
    return command(*arguments, program=lab_binary(), **options)


class Router:
    """The real router as a process, on a port of its own."""

    def __init__(self, *flags, apps=APPS, listen="127.0.0.1:0", env=None, level="info",
                 store=None, waits=True, descriptors=None, program=None):
        """`descriptors` is the limit of open files, if it is not that of this process; `program` is
        what is started in the binary's place."""
        self.folder = tempfile.TemporaryDirectory(prefix="reload-router-test-")
        folder = pathlib.Path(self.folder.name)
        self.apps = folder / "apps.json"
        self.apps.write_text(apps if isinstance(apps, str) else json.dumps(apps))
        self.store = pathlib.Path(store or folder / "store")
        self._arguments = [str(program or binary()), "serve", "--listen", listen,
                           "--apps", str(self.apps), "--store", str(self.store)]
        if level:
            self._arguments += ["--log-level", level]
        self._arguments += map(str, flags)
        self._environment = clean_environment(env)
        self._descriptors = descriptors
        self._starts = 0
        self._drained = None
        self._start()
        if waits:
            self.wait_listening()

    def _start(self):
        self._starts += 1
        folder = pathlib.Path(self.folder.name)
        self._out, self._err = folder / f"stdout-{self._starts}", folder / f"stderr-{self._starts}"
        with open(self._out, "wb") as out, open(self._err, "wb") as err:
            self.process = subprocess.Popen(
                self._arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                env=self._environment, preexec_fn=self._descriptors and self._limit_descriptors)
        self.addresses = []

    def _limit_descriptors(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (self._descriptors, self._descriptors))

    def wait_listening(self, timeout=20):
        wait_until(self._is_listening, "the router listens", timeout)
        host = "127.0.0.1"
        self.address = next((a for a in self.addresses if a[0] == host), self.addresses[0])
        self.to = f"{self.address[0]}:{self.address[1]}"

    def restart(self, kill=True):
        """Ends the process, at once or with a drain, and starts another one on the same store."""
        if kill:
            self.kill()
        elif self.stop() != 0:
            raise AssertionError(f"exit {self.process.returncode} at the end: {self.log}")
        self._start()
        self.wait_listening()

    def _is_listening(self):
        if self.process.poll() is not None:
            raise AssertionError(f"exit {self.process.returncode} at start: {self.log}")
        self.addresses = self._said("listening on ")
        return bool(self.addresses)

    def _said(self, what):
        """The addresses in the lines of output that begin with this."""
        lines = [l for l in self.output.splitlines(True) if l.endswith("\n")]
        found = [l.strip().removeprefix(what).rpartition(":") for l in lines if l.startswith(what)]
        return [(host.strip("[]"), int(port)) for host, _, port in found]

    @property
    def admin(self):
        """Where the admin server listens."""
        return wait_until(lambda: self._said("admin on "), "the admin server listens")[0]

    @property
    def publish(self):
        """Where the listener for publishers over HTTP listens."""
        return wait_until(lambda: self._said("publish on "), "the listener for publishers")[0]

    @property
    def output(self):
        return self._out.read_text(errors="replace")

    @property
    def log(self):
        return self._err.read_text(errors="replace")

    @property
    def records(self):
        """The lines of the log that have been written whole, of a router that logs JSON."""
        return [json.loads(line) for line in self.log.rpartition("\n")[0].splitlines()]

    @property
    def resident(self):
        """Resident bytes of the process."""
        pages = pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize()

    @property
    def open_files(self):
        """The number of open descriptors of the process."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def signal(self, number):
        self.process.send_signal(number)

    def wait_log(self, text, count=1):
        wait_until(lambda: self.log.count(text) >= count, f"{text!r} in the log ({self.log!r})")

    def exit_code(self, timeout=15):
        return self.process.wait(timeout * PATIENCE)

    def drain(self):
        """Begins to end the router, if this has not begun."""
        if self.process.poll() is None and self._drained is not self.process:
            self._drained = self.process
            self.signal(signal.SIGTERM)

    def stop(self):
        """Drains the router; returns its exit code."""
        self.drain()
        if self.process.poll() is None:
            try:
                self.exit_code()
            except subprocess.TimeoutExpired:
                self.kill()
        return self.process.returncode

    def kill(self):
        self.process.kill()
        self.process.wait()


class RouterCase(unittest.TestCase):
    """A test whose routers and clients are ended after it.

    Every router must end with exit code 0 and without a crash: a handle left open, or memory
    misused, shows there whatever the test itself looked at.
    """

    flags = ()

    def setUp(self):
        self.clients = []
        self.routers = []
        self.addCleanup(self.put_away)

    @functools.cached_property
    def router(self):
        """The router of the test, which starts when it is first asked for."""
        return self.start(*self.flags)

    def start(self, *flags, **options):
        router = Router(*flags, **options)
        self.routers.append(router)
        return router

    def put_away(self):
        for client in self.clients:
            client.close()
        for router in self.routers:
            router.drain()
        codes = [router.stop() for router in self.routers]
        logs = [router.log for router in self.routers]
        for router in self.routers:
            router.folder.cleanup()
        for code, log in zip(codes, logs):
            self.assertEqual(code, 0, f"the router did not end cleanly: {log[-3000:]}")
            self.assertNotIn("Fatal error", log)

    def connect(self, router=None, address=None, **options):
        client = Client(address or (router or self.router).address, **options)
        self.clients.append(client)
        return client

    def session(self, role, *, router=None, address=None, receive_buffer=None, security=None,
                **members):
        client = self.connect(router, address, receive_buffer=receive_buffer, security=security)
        client.hello(role, **members)
        client.welcome = client.expect(WELCOME).json
        client.seq = client.acked = client.welcome.get("lastSeq", 0)
        client.device = members.get("device")
        return client

    def publisher(self, producer="shard-7", **options):
        return self.session("publisher", producer=producer, **options)

    def device(self, name, *widgets, **options):
        client = self.session("device", device=name, **options)
        if widgets:
            client.register(*widgets)
        return client

    def gateway(self, **options):
        return self.session("gateway", **options)

    def assert_ends(self, client, code, timeout=WAIT):
        """The router ends the connection with this ERROR, and then closes it."""
        self.assertEqual(client.expect_end(timeout), code)

    def assert_refused(self, client, seq, code):
        """The router refuses the frame, and the connection stays open."""
        found = client.expect(REJECT)
        self.assertEqual((found.seq, found.code), (seq, code), found)
        self.assertGreater(len(found.json["message"]), 10)
        self.assertEqual(found.json["retry"], RETRY[code])
        client.barrier()
