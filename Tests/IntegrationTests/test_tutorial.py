"""The tutorial of deploy/examples: its files and commands, as they are printed there."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

from support import *

TUTORIAL = CHECKOUT / "deploy" / "examples" / "README.md"
BLOCK = re.compile(r"(?s)(?P<before>[^\n]*)\n\n```(?P<kind>\w+)\n(?P<text>.*?)```\n")
#: Where the tutorial's package lies and is built; both stay, so that the next run is quick.
PLACE = CHECKOUT / ".build" / "tutorial-package"
BUILD = CHECKOUT / ".build" / "tutorial"
#: Without them, a file's types are looked up by several processes, which takes a quarter longer, and the compiler
#: writes an index and the data of debuggers.
AT_ONCE = ("-Xswiftc", "-whole-module-optimization", "-Xswiftc", "-num-threads", "-Xswiftc", "1",
           "--disable-index-store", "-debug-info-format", "none")


def blocks():
    """The tutorial's blocks in order: kind, text, and the name of the file that a block is."""
    for found in BLOCK.finditer(TUTORIAL.read_text().split("## Apps to copy from")[0]):
        name = re.search(r"`([\w./]+\.(?:json|swift))`:$", found["before"])
        yield found["kind"], found["text"], name and name[1]


def steps(text):
    """The commands of a block, each with the lines that it prints."""
    for step in re.split(r"(?m)^\$ ", text)[1:]:
        line, *printed = step.splitlines()
        yield line, printed


class Tutorial(RouterCase):
    """A quarter of an hour with the tutorial. Its ports are replaced with free ones, nothing else."""

    def setUp(self):
        self.clients, self.routers = [], []
        self.addCleanup(self.put_away)
        shutil.rmtree(PLACE, ignore_errors=True)
        self.folder = PLACE / "dragons"
        self.folder.mkdir(parents=True)
        (PLACE / "reload-router").symlink_to(CHECKOUT)

    def test_every_file_and_command_does_what_it_says(self):
        """Nothing has to be guessed, and what the commands print is what they print."""
        counts = {"file": 0, "console": 0, "text": 0}
        for kind, text, name in blocks():
            if name:
                self.write(name, text)
            elif kind == "console":
                for line, printed in steps(text):
                    self.type(line, printed)
            else:
                self.assertEqual(kind, "text", text)
                self.compare([self.terminal.readline().rstrip()], [text.rstrip()])
            counts["file" if name else kind] += 1
        self.assertEqual((counts["file"], counts["text"]), (4, 1))
        self.assertGreater(counts["console"], 7)

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def type(self, line, printed):
        program, *words = shlex.split(line)
        if program == "reload-router":
            run = {"serve": self.serve, "device": self.attach}.get(words[0], self.ask_router)
        else:
            run = {"swift": self.build}.get(program, self.play)
        run(words, printed)

    def serve(self, words, printed):
        self.assertEqual(words, ["serve", "--apps", "apps.json"])
        self.assertEqual(printed, ["listening on 127.0.0.1:7410"])
        self.router = self.start("--admin", "127.0.0.1:0", apps=(self.folder / "apps.json").read_text())

    def attach(self, words, printed):
        """In a terminal, as a reader has it."""
        reading, terminal = os.openpty()
        self.terminal = self.enterContext(open(reading))
        device = subprocess.Popen([binary(), *self.reaching(words)], stdin=subprocess.DEVNULL,
                                  stdout=terminal, stderr=terminal, env=clean_environment())
        os.close(terminal)
        self.addCleanup(device.wait)
        self.addCleanup(device.kill)
        self.compare([self.terminal.readline().rstrip()], printed)

    def ask_router(self, words, printed):
        self.check(command(*self.reaching(words), cwd=self.folder), printed)

    def reaching(self, words):
        """The words with the router's ports in place of those that are printed."""
        if not self.routers:
            return words
        ports = {"7410": self.router.to, "7411": str(self.router.admin[1])}
        return [ports.get(word, word) for word in words]

    def build(self, words, printed):
        if not shutil.which("swift"):
            self.skipTest("there is no Swift to build the tutorial's widgets with")
        built = subprocess.run(
            ["swift", *words, "--scratch-path", BUILD, *AT_ONCE], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=clean_environment())
        self.assertEqual(built.returncode, 0, built.stdout)
        (self.folder / ".build").symlink_to(BUILD)

    def play(self, words, printed):
        """With fewer seconds where time is real."""
        program = self.folder / ".build/debug/Dragons"
        words = ["3" if word == "60" else word for word in self.reaching(words)]
        result = command(*words, program=program, cwd=self.folder, timeout=60)
        self.check(result, None)
        self.assertRegex(result.stdout, "push to screen")

    def check(self, result, printed):
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        if printed is not None:
            self.compare(result.stdout.splitlines(), printed)

    def compare(self, found, printed):
        """… in a line that is printed stands for anything."""
        self.assertEqual(len(found), len(printed), found)
        for line, expected in zip(found, printed):
            self.assertRegex(line, "^" + ".*".join(map(re.escape, expected.split("…"))) + "$")


if __name__ == "__main__":
    unittest.main()
