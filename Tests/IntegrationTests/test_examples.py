"""The example clients of protocol/examples and the subcommands, against the real router."""

import json
import pathlib
import queue
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

from support import *

EXAMPLES = CHECKOUT / "protocol" / "examples"


class Child:
    """A process whose lines of output can be waited for."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            list(map(str, arguments)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=clean_environment({"PYTHONUNBUFFERED": "1"}))
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def line(self):
        try:
            return self.lines.get(timeout=WAIT)
        except queue.Empty:
            raise AssertionError(f"no line; exit code {self.process.poll()}") from None

    def reload(self):
        """The next line that is a JSON object."""
        while not (line := self.line()).startswith("{"):
            pass
        return json.loads(line)

    def exit_code(self):
        return self.process.wait(WAIT)

    def close(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            pipe.close()


class ChildCase(RouterCase):
    def child(self, *arguments):
        child = Child(*arguments)
        self.addCleanup(child.close)
        return child

    def wait_registered(self, device):
        """Waits until the device's widgets are stored: a push of its own kind then matches."""
        publisher = self.publisher(f"probe-{len(self.clients)}")
        wait_until(lambda: publisher.pushed({}, kinds=[BOARD]), f"{device} has registered")

    def assert_summary(self, text, **counts):
        """The summary names each count, whichever stands first: the number or the word."""
        for name, count in counts.items():
            self.assertRegex(text, rf"(?i)({name}\W+{count}\b|\b{count}\s+{name})")


class Examples(ChildCase):
    def setUp(self):
        super().setUp()
        for name in ("publisher.py", "device.py", "gateway.py"):
            self.assertTrue((EXAMPLES / name).exists(), f"protocol/examples/{name} is not there")
        self.host, self.port = self.router.address

    def arguments(self, name, role, *more):
        return (sys.executable, EXAMPLES / name, "--host", self.host, "--port", self.port,
                "--app", APP, "--token", TOKENS[role], *more)

    def publish(self, *more):
        return subprocess.run(list(map(str, self.arguments("publisher.py", "publisher", *more))),
                              capture_output=True, text=True, timeout=WAIT)

    def test_the_python_device_prints_the_reload_that_the_python_publisher_causes(self):
        """A widget of the example device reloads, is answered, and the device ends by count."""
        widgets = json.dumps([widget("w1", character="elf-42"), widget("w2", BOARD)])
        device = self.child(*self.arguments(
            "device.py", "device", "--device", "d-1", "--widgets", widgets, "--answer",
            "--count", 2))
        self.wait_registered("d-1")
        self.assertEqual(device.reload()["widgets"], ["w2"])
        result = self.publish("--producer", "example", json.dumps(HEALING))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_summary(result.stdout + result.stderr, sent=1, accepted=1, rejected=0,
                            matched=1)
        self.assertEqual(device.reload(), {
            "device": "d-1", "kinds": [DETAIL], "widgets": ["w1"], "cause": "push"})
        self.assertEqual(device.exit_code(), 0)
        # The answer has settled it: nothing is owed to the next session.
        self.assertEqual(self.device("d-1").reloads(), [])

    def test_the_python_gateway_prints_the_apns_push_of_each_device(self):
        """Of two devices, the one with a matching widget; its answer settles the RELOAD."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        file = folder / "widgets.jsonl"
        file.write_text("".join(json.dumps(device) + "\n" for device in (
            {"device": "p-2", "widgets": [widget("w1", character="orc-7")]},
            {"device": "p-1", "pushToken": "ab12",
             "widgets": [widget("w1", character="elf-42"), widget("w2", BOARD)]})))
        gateway = self.child(*self.arguments(
            "gateway.py", "gateway", "--file", file, "--answer", "--count", 2))
        self.wait_registered("p-1")
        self.assertEqual(gateway.reload()["kinds"], [BOARD])
        result = self.publish("--producer", "example", json.dumps(HEALING))
        self.assertEqual(result.returncode, 0, result.stderr)
        push = gateway.reload()
        self.assertEqual((push["device"], push["kinds"], push["path"]),
                         ("p-1", [DETAIL], "/3/device/ab12"))
        self.assertEqual(push["headers"]["apns-topic"], f"{APP}.push-type.widgets")
        self.assertEqual(push["body"], {"aps": {"content-changed": True}})
        self.assertEqual(gateway.exit_code(), 0)

    def test_the_python_gateway_attaches_its_devices_after_the_router_was_killed(self):
        """It gets the next RELOAD without registering anything again."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        file = folder / "widgets.jsonl"
        file.write_text("".join(json.dumps(
            {"device": f"p-{number}", "widgets": [widget("w1", character="elf-42")]}) + "\n"
            for number in range(3)))
        self.host, self.port = "127.0.0.1", fixed_port()
        router = self.start(listen=f"{self.host}:{self.port}")
        gateway = self.child(*self.arguments("gateway.py", "gateway", "--file", file, "--answer"))
        publisher = self.publisher("first", router=router)
        wait_until(lambda: publisher.pushed(HEALING) == 3, "all have registered")
        router.restart()
        publisher = self.publisher("second", router=router)
        wait_until(lambda: self.sent_to_all(gateway, publisher), "each device gets a RELOAD")

    def sent_to_all(self, gateway, publisher):
        publisher.pushed(HEALING)
        time.sleep(0.05)
        seen = set()
        while not gateway.lines.empty():
            seen.add(gateway.reload()["device"])
        return seen == {"p-0", "p-1", "p-2"}

    def test_the_python_publisher_continues_from_last_seq(self):
        """A second run of the same producer continues the sequence, so nothing is swallowed."""
        self.device("d-1", widget("w1", character="elf-42"))
        for _ in range(2):
            result = self.publish("--producer", "again", json.dumps(HEALING))
            self.assert_summary(result.stdout + result.stderr, matched=1)
        self.assertEqual(self.publisher("again").welcome["lastSeq"], 2)

    def test_the_python_publisher_narrows_to_kinds(self):
        self.device("d-1", widget("w1", character="elf-42"), widget("w2", PARTY, member="elf-42"))
        result = self.publish("--producer", "x", "--kinds", PARTY, json.dumps(HEALING))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_summary(result.stdout + result.stderr, sent=1, matched=1)

    def test_the_python_publisher_reports_a_rejected_push(self):
        """Exit 1, and the other pushes are accepted."""
        result = self.publish("--producer", "x", json.dumps(HEALING), '{"a":1,"a":1}')
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assert_summary(result.stdout + result.stderr, sent=2, accepted=1, rejected=1)


class NewerRouter(unittest.TestCase):
    """The example publisher against a scripted router that says what no router of today does."""

    def publish(self, *sessions):
        """Runs a publisher; each session is the bytes that follow its HELLO. Returns its end."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                for answer in sessions:
                    connection, _ = server.accept()
                    with connection:
                        while connection.recv(4096).find(b"producer") < 0:
                            pass
                        connection.sendall(answer)
                        while connection.recv(4096):
                            pass
            thread = threading.Thread(target=serve, daemon=True)
            thread.start()
            ended = subprocess.run(
                [sys.executable, EXAMPLES / "publisher.py", "--host", "127.0.0.1", "--port",
                 str(server.getsockname()[1]), "--app", APP, "{}"],
                capture_output=True, text=True, timeout=30 * PATIENCE)
            thread.join(5)
            self.assertFalse(thread.is_alive(), "the publisher did not connect as often")
            return ended

    WELCOMED = frame(WELCOME, 0, {"v": 1, "session": "0" * 32, "maxBody": 65536, "window": 8,
                                  "lastSeq": 0, "news": [1]})
    DONE = WELCOMED + frame(0x5A, 7, b"\xff", 0xFF, 0xFFFF) + frame(ACK, 1, struct.pack(">I", 3))

    def test_the_python_publisher_passes_over_what_it_need_not_know(self):
        """A frame of type 0x5a, whatever it has, and a member of WELCOME."""
        ended = self.publish(self.DONE)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("matched 3", ended.stdout)

    def test_the_python_publisher_judges_an_unknown_code_by_its_retry(self):
        """It connects again after "reconnect", and ends with exit code 2 after "no"."""
        error = {"code": "of-tomorrow", "message": "a sentence"}
        passing = frame(ERROR, 0, error | {"retry": "reconnect"})
        self.assertEqual(self.publish(passing, self.DONE).returncode, 0)
        self.assertEqual(self.publish(frame(ERROR, 0, error | {"retry": "no"})).returncode, 2)
        self.assertEqual(self.publish(frame(ERROR, 0, error)).returncode, 2)



class QuickStart(unittest.TestCase):
    """The commands that `deploy/run` prints for a newcomer, executed."""

    def child(self, *arguments):
        child = Child(*arguments)
        self.addCleanup(child.close)
        return child

    def checkout(self):
        """A checkout with the router under test in the place of the one that would be built."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        release = root / ".build" / "release"
        release.mkdir(parents=True)
        (release / "reload-router").symlink_to(pathlib.Path(binary()).resolve())
        deploy = root / "deploy"
        deploy.mkdir()
        shutil.copy(CHECKOUT / "deploy" / "run", deploy)
        (deploy / "examples").symlink_to(CHECKOUT / "deploy" / "examples")
        common = (CHECKOUT / "deploy" / "common.sh").read_text()
        (deploy / "common.sh").write_text(common + "build_release() { :; }\n")
        return root

    def test_the_device_prints_the_reload_that_the_push_causes(self):
        """With the example app file that is served, and in the order that is printed."""
        self.play(self.checkout())

    def test_with_tls_the_story_has_the_authority(self):
        root = self.checkout()
        self.assertEqual(command("cert", "new", cwd=root).returncode, 0)
        self.play(root, "--cert", "certificates/cert.pem", "--key=certificates/key.pem")

    def test_the_story_has_the_authority_only_if_it_is_there(self):
        root = self.checkout()
        # With what a shell or a replacement of text would read.
        made = pathlib.Path("a b|c&d\\e'f")
        self.assertEqual(command("cert", "new", "--out", made, cwd=root).returncode, 0)
        flags = ("--cert", made / "cert.pem", "--key", made / "key.pem")
        self.play(root, *flags)
        (root / made / "ca.pem").unlink()
        router = self.child("env", "RELOAD_ROUTER_LISTEN=127.0.0.1:0", root / "deploy" / "run", *flags)
        self.assertTrue(router.line().startswith("listening on "))

    def play(self, root, *flags):
        """Types what the script prints, while a context of another router is in use."""
        settings = {"XDG_CONFIG_HOME": str(root / "config")}
        for words in (("add", "other", "--to", f"127.0.0.1:{fixed_port()}"), ("use", "other")):
            self.assertEqual(command("context", *words, env=settings).returncode, 0)
        settings = f"XDG_CONFIG_HOME={root}/config"
        router = self.child("env", f"RELOAD_ROUTER_LISTEN=127.0.0.1:{fixed_port()}", root / "deploy" / "run", *flags)
        reported = []
        while not (line := router.line()).startswith("listening on "):
            reported.append(line)
        text = "\n".join(reported).replace("\\\n", " ")
        commands = [shlex.split(line) for line in text.splitlines() if line.startswith("    ")]
        self.assertEqual([words[1] for words in commands], ["device", "push", "push"], text)
        # Paths in what is printed are those of the checkout.
        commands = [[root / word if (root / word).exists() else word for word in words] for words in commands]
        device = self.child("env", settings, *commands[0], "--announce")
        device.line()
        printed = []
        # The last push once more, as the story says.
        for words in [*commands[1:], commands[-1]]:
            result = subprocess.run(
                ["env", settings, *words], capture_output=True, text=True, timeout=WAIT,
                env=clean_environment())
            self.assertEqual(result.returncode, 0, result.stderr)
            printed.append(result.stdout)
            if len(printed) == 1:
                reload = device.reload()
                self.assertEqual((reload["device"], reload["widgets"]), ("d-1", ["w1"]))
        self.assertRegex(printed[0], r"put off until [0-9:]+ \(debounced: ")
        self.assertRegex(printed[1], r"put off until [0-9:]+ \(spacing: ")
        self.assertIn("no reload (unchanged: hp ", printed[2])
        router.process.terminate()
        self.assertEqual(router.exit_code(), 0)


class Commands(ChildCase):
    def push(self, *more, token=TOKENS["publisher"], **options):
        return command("push", "--to", self.router.to, "--app", APP, "--token", token, *more,
                       **options)

    def device_command(self, *more):
        return self.child(binary(), "device", "--to", self.router.to, "--app", APP, "--token",
                          TOKENS["device"], "--device", "d-1", *more)

    def test_push_and_device_work_together(self):
        """device prints one line for each reload and ends after --count; push sums up."""
        device = self.device_command(
            "--widget", f"{DETAIL}:w1:character=elf-42", "--widget", f"{BOARD}:w2", "--json",
            "--answer", "--count", 2)
        self.wait_registered("d-1")
        self.assertEqual(device.reload()["widgets"], ["w2"])
        result = self.push(json.dumps(HEALING))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_summary(result.stdout + result.stderr, sent=1, accepted=1, rejected=0,
                            matched=1)
        self.assertEqual(device.reload()["widgets"], ["w1"])
        self.assertEqual(device.exit_code(), 0)
        self.assertEqual(self.device("d-1").reloads(), [])

    def test_push_streams_lines_and_names_the_rejected(self):
        """Lines from stdin, pipelined; a bad line is named with its number; exit 1."""
        self.device("d-1", widget("w1", character="elf-42"))
        lines = [json.dumps(HEALING | {"amount": n}) for n in range(9_999)]
        lines[6_999] = '{"a":7,"a":7}'
        result = self.push("-", input="\n".join(lines) + "\n")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, r"7000\b.*payload-duplicate-key")
        self.assert_summary(result.stdout + result.stderr, sent=9999, accepted=9998, rejected=1,
                            matched=9998)

    def test_push_narrows_to_kinds(self):
        """--kinds names the kinds, separated by commas."""
        self.device("d-1", widget("w1", character="elf-42"), widget("w2", PARTY, member="elf-42"))
        for kinds, matched in ((PARTY, 1), (f"{DETAIL},{PARTY}", 2), ("com.mygame.no-such", 0)):
            result = self.push("--kinds", kinds, json.dumps(HEALING))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assert_summary(result.stdout + result.stderr, sent=1, matched=matched)
        result = self.push("--kinds", f"{DETAIL},{'k' * 129}", json.dumps(HEALING))
        self.assertEqual(result.returncode, 64, result.stderr)
        self.assertIn("1 to 128 bytes", result.stderr)

    def test_push_reads_a_file(self):
        """--file FILE with JSON lines."""
        file = self.router.apps.with_name("pushes.jsonl")
        file.write_text(json.dumps(HEALING) + "\n" + json.dumps(HEALING) + "\n")
        result = self.push("--file", file)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_summary(result.stdout + result.stderr, sent=2, accepted=2)

    def test_push_says_why_it_cannot(self):
        """Exit 2 without a router, and not 0 with a bad token, which is not repeated."""
        result = command("push", "--to", "127.0.0.1:1", "--app", APP, "--token", "t-99", "{}")
        self.assertEqual(result.returncode, 2)
        self.assertIn("127.0.0.1:1", result.stderr)
        result = self.push("{}", token="token-98")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("token-invalid", result.stderr)
        self.assertNotIn("token-98", result.stderr + result.stdout)

    def test_device_says_once_that_its_session_is_lost_and_once_that_it_is_back(self):
        """However many attempts fail; and that it is registered."""
        router = self.start(listen=f"127.0.0.1:{fixed_port()}")
        device = self.child("sh", "-c", 'exec "$0" "$@" 2>&1', binary(), "device", "--to", router.to, "--app",
                            APP, "--token", TOKENS["device"], "--device", "d-1", "--widget", f"{BOARD}:w")
        said = device.line
        self.assertEqual(said(), "registered 1 device")
        router.kill()
        self.assertRegex(said(), "^[0-9:]{8}  reload-router device: .*; connecting again$")
        with socket.create_server(router.address) as nobody:
            nobody.settimeout(WAIT)
            for _ in range(3):
                nobody.accept()[0].close()
        router.restart()
        self.assertRegex(said(), "^[0-9:]{8}  reload-router device: connected again$")

    def test_device_reads_a_widgets_file(self):
        """--widgets FILE registers what its line says."""
        file = self.router.apps.with_name("widgets.jsonl")
        file.write_text(json.dumps({"device": "d-1", "widgets": [widget("w2", BOARD)]}) + "\n")
        device = self.device_command("--widgets", file, "--json", "--count", 1)
        self.wait_registered("d-1")
        self.assertEqual(device.reload()["widgets"], ["w2"])
        self.assertEqual(device.exit_code(), 0)

    def test_check_judges_files_without_a_router(self):
        """Good files are ok; a broken one is named with line and column, exit 1."""
        result = command("check", "--apps", self.router.apps)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ok", result.stdout)
        broken = self.router.apps.with_name("broken.json")
        broken.write_text('{"apps":[\n  {"app": }]}')
        result = command("check", "--apps", broken)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout + result.stderr, r"broken\.json.*line 2, column 11")
        lines = self.router.apps.with_name("widgets.jsonl")
        lines.write_text(json.dumps({"device": "d", "widgets": [widget("w")]}) + "\n"
                         + json.dumps({"device": "d", "widgets": [widget("w", "com.no")]}) + "\n")
        result = command("check", "--apps", self.router.apps, "--widgets", lines)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout + result.stderr, r"(?s)2.*com\.no")


if __name__ == "__main__":
    unittest.main()
