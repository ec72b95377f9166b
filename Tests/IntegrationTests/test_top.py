"""`reload-router top`: on a terminal, in a pipe, with a token, and without an answer."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import unittest

from dashboard_subjects import APP, IS_REAL, Subject
from support import PATIENCE, binary, clean_environment, command, wait_until


def top(subject, *arguments, **options):
    return command("top", "--to", subject.url, *arguments, **options)


class Terminal:
    """A command on a terminal of its own; it reads what is written there."""

    def __init__(self, *arguments, columns=100, rows=40, term="xterm-256color"):
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(slave)
        self._slave = slave
        # The controlling terminal, which keys and stops come from.
        self.process = subprocess.Popen(
            [binary(), *map(str, arguments)], stdin=slave, stdout=slave, stderr=slave,
            env=clean_environment({"TERM": term}), start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.written = b""

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        """Takes what was written meanwhile; all of it since the start."""
        while select.select([self.master], [], [], 0)[0]:
            try:
                part = os.read(self.master, 65_536)
            except OSError:
                break
            if not part:
                break
            self.written += part
        return self.written.decode(errors="replace")

    @property
    def screens(self):
        """What was shown, one after the other, as lines without their styles."""
        shown = self.read().split("\x1b[H")[1:]
        # The terminal adds a return of its own to each new line.
        return [re.split(r"\r+\n", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", one)) for one in shown]

    def wait_for(self, text, what=None):
        return wait_until(lambda: text in self.read(), what or repr(text))

    def press(self, keys):
        os.write(self.master, keys)

    def end(self, timeout=10):
        """Its exit code, and whether it has left the terminal as it was."""
        def has_ended():
            self.read()
            return self.process.poll() is not None
        wait_until(has_ended, "top ends", timeout)
        self.read()
        return self.process.returncode

    @property
    def is_as_before(self):
        now = termios.tcgetattr(self._slave)
        text = self.read()
        return (now == self.before and text.rfind("\x1b[?1049l") > text.rfind("\x1b[?1049h")
                and text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l"))

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self._slave)


class TopCase(unittest.TestCase):
    token = None

    def setUp(self):
        self.subject = Subject(token=self.token)
        self.addCleanup(self.subject.stop)

    def terminal(self, *arguments, **options):
        terminal = Terminal("top", "--to", self.subject.url, "--interval", "0.2", *arguments,
                            **options)
        self.addCleanup(terminal.close)
        return terminal


class Top(TopCase):
    def test_a_terminal_shows_the_status_live_until_q(self):
        terminal = self.terminal()
        terminal.wait_for("pushes/s")
        wait_until(lambda: len(terminal.screens) > 4, "it draws again")
        screen = terminal.screens[-2]
        self.assertEqual(len(screen), 40)
        text = "\n".join(screen)
        for part in ("ReloadRouter", "ready", "push to ACK", "p99.9", APP, "connections", "store"):
            self.assertIn(part, text)
        self.assertRegex(text, r"pushes +[0-9.,]+/s  [▁▂▃▄▅▆▇█]+")
        self.assertLessEqual(max(map(len, screen)), 100)
        terminal.press(b"q")
        self.assertEqual(terminal.end(), 0)
        self.assertTrue(terminal.is_as_before, terminal.written[-200:])

    def test_a_new_size_is_drawn_at_once(self):
        terminal = self.terminal("--interval", "60")
        terminal.wait_for("push to ACK")
        terminal.resize(30, 6)
        terminal.process.send_signal(signal.SIGWINCH)
        wait_until(lambda: len(terminal.screens[-1]) == 6, "six lines")
        self.assertLessEqual(max(map(len, terminal.screens[-1])), 30)
        terminal.press(b"q")
        self.assertEqual(terminal.end(), 0)

    def test_the_space_bar_asks_at_once(self):
        terminal = self.terminal("--interval", "60")
        terminal.wait_for("push to ACK")
        count = len(terminal.screens)
        terminal.press(b" ")
        wait_until(lambda: len(terminal.screens) > count, "another screen")
        terminal.press(b"q")
        self.assertEqual(terminal.end(), 0)

    def test_signals_leave_the_terminal_as_it_was(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(number):
                terminal = self.terminal()
                terminal.wait_for("push to ACK")
                terminal.process.send_signal(number)
                self.assertEqual(terminal.end(), 128 + number)
                self.assertTrue(terminal.is_as_before, terminal.written[-200:])

    def test_control_c_is_a_signal_too(self):
        terminal = self.terminal()
        terminal.wait_for("push to ACK")
        terminal.press(b"\x03")
        self.assertEqual(terminal.end(), 130)
        self.assertTrue(terminal.is_as_before, terminal.written[-200:])

    def test_it_can_be_stopped_and_continued(self):
        terminal = self.terminal()
        terminal.wait_for("push to ACK")
        terminal.process.send_signal(signal.SIGTSTP)
        state = pathlib.Path(f"/proc/{terminal.process.pid}/stat")
        wait_until(lambda: state.read_text().rpartition(")")[2].split()[0] == "T", "it stops")
        self.assertTrue(terminal.is_as_before, terminal.written[-200:])
        count = len(terminal.screens)
        terminal.process.send_signal(signal.SIGCONT)
        wait_until(lambda: len(terminal.screens) > count, "it draws again")
        self.assertFalse(terminal.is_as_before)
        terminal.press(b"q")
        self.assertEqual(terminal.end(), 0)

    def test_it_says_that_the_router_is_away_and_continues_when_it_is_back(self):
        terminal = self.terminal()
        terminal.wait_for("push to ACK")
        self.subject.go_away()
        # A screen may be read in pieces.
        wait_until(lambda: all(part in "\n".join(terminal.screens[-1]) for part in ("asking again", "push to ACK")),
                   "it says so, and the last figures stay")
        self.subject.come_back()
        wait_until(lambda: "asking again" not in "\n".join(terminal.screens[-1]), "it continues")
        terminal.press(b"q")
        self.assertEqual(terminal.end(), 0)

    def test_a_terminal_that_knows_lines_only_gets_lines(self):
        terminal = self.terminal("--once", term="dumb")
        self.assertEqual(terminal.end(), 0)
        self.assertNotIn("\x1b", terminal.read())
        self.assertIn("since start", terminal.read())


class TopInPipes(TopCase):
    def test_once_prints_tables_with_rates(self):
        found = top(self.subject, "--once", "--interval", "0.3")
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertRegex(found.stdout, r"^\d\d:\d\d:\d\dZ  ReloadRouter .*  ready  up ")
        self.assertRegex(found.stdout, r"(?m)^pushes +[0-9.,]+ +[0-9,]+$")
        self.assertRegex(found.stdout, rf"(?m)^{APP} ")

    def test_json_is_what_the_server_sends(self):
        found = top(self.subject, "--once", "--json")
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertEqual(found.stdout.count("\n"), 1)
        status = json.loads(found.stdout)
        self.assertEqual(status["apps"][0]["app"], APP)

    def test_without_a_terminal_a_block_comes_each_interval(self):
        process = subprocess.Popen(
            [binary(), "top", "--to", self.subject.url, "--interval", "0.1"],
            stdout=subprocess.PIPE, env=clean_environment(), text=True)
        blocks = 0
        for line in process.stdout:
            blocks += "  ReloadRouter " in line
            if blocks == 3:
                break
        # Whoever read it has gone, which is no error.
        process.stdout.close()
        self.assertEqual(process.wait(10 * PATIENCE), 0)

    def test_a_router_that_does_not_answer_is_reported(self):
        self.subject.go_away()
        for format in ("--json", "--once"):
            found = top(self.subject, "--once", format)
            self.assertEqual((found.returncode, found.stdout), (2, ""))
            self.assertRegex(found.stderr, r"^reload-router top: http://[0-9.:]+: the server is out of reach: .+\n$")

    @unittest.skipIf(IS_REAL, "the real router answers as it should")
    def test_what_is_no_status_is_refused(self):
        self.subject.status_changes = {"at": "soon"}
        found = top(self.subject, "--once")
        self.assertEqual(found.returncode, 1)
        self.assertIn("is not a status of a router", found.stderr)

    def test_settings_are_checked(self):
        for arguments, word in ((["--to", "local host"], "--to"),
                                (["--to", "http:///x"], "--to"),
                                (["--to", "http://:7411"], "--to"),
                                (["--to", "http://me@localhost:7411"], "--to"),
                                (["--to", "http://::1:7411"], "--to"),
                                (["--to", "http://localhost?x"], "--to"),
                                (["--to", "https://localhost:7411", "--plaintext"], "TLS"),
                                (["--to", "http://localhost:7411", "--insecure"], "TLS"),
                                (["--to", "https://localhost", "--ca", "/none"], "--ca is /none"),
                                (["--interval", "0"], "--interval"),
                                (["--token-file", "/nonexistent"], "--token-file")):
            found = command("top", "--once", *arguments)
            self.assertNotEqual(found.returncode, 0)
            self.assertIn(word, found.stderr)


class TopWithToken(TopCase):
    token = "very-secret-token-of-top"

    def test_the_token_is_read_from_a_file(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(self.token + " \r\nsecond line\n")
            file.flush()
            found = top(self.subject, "--once", "--json", "--token-file", file.name)
        self.assertEqual((found.returncode, found.stderr), (0, ""))

    def test_without_it_the_server_refuses_and_top_says_so(self):
        found = top(self.subject)
        self.assertEqual((found.returncode, found.stdout), (1, ""))
        self.assertIn("--token-file", found.stderr)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("wrong-in-every-way\n")
            file.flush()
            found = top(self.subject, "--token-file", file.name)
        self.assertEqual(found.returncode, 1)
        self.assertIn("it refuses this one", found.stderr)
        self.assertNotIn("wrong", found.stderr)

    def test_a_token_that_is_no_header_is_refused(self):
        """Nor one that is shorter than the server's may be."""
        well = "well-made-and-long-enough"
        for text in ("", f"\n{well}", f"{well}\rX-Other: 1", f"{well}-tökén", "short"):
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(text)
                file.flush()
                found = top(self.subject, "--once", "--token-file", file.name)
            self.assertNotEqual(found.returncode, 0)
            self.assertIn("--token-file", found.stderr)


if __name__ == "__main__":
    unittest.main()
