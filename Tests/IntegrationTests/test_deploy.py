"""What is in deploy/ for operators: the unit, the upgrade and the runbook, against a real router."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest

from admin import ask, wait_ready
from deploy_case import *
from store_case import *

UNIT = DEPLOY / "systemd" / "reload-router.service"
DROP_IN = DEPLOY / "systemd" / "tls.conf"
ADMIN = ("--admin", "127.0.0.1:0")
#: What `systemd-analyze security` may say at most, of 100: 0 is safe, 20 is "OK".
EXPOSURE = 13


def settings_of_unit():
    """The directives of the unit; one that is there several times has its values joined."""
    found = {}
    for line in UNIT.read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found[name] = f"{found[name]} {value}" if name in found else value
    return found


class Scripts(unittest.TestCase):
    def test_a_build_that_fails_ends_the_script(self):
        """Otherwise an older program would run."""
        for status in (0, 3):
            script = (f"source {DEPLOY}/common.sh; need_swift() {{ :; }}; need_packages() {{ :; }}; "
                      f"swift() {{ echo '[1/2] Compiling'; return {status}; }}; "
                      "build_release reload-router reload-lab; echo went on")
            done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=WAIT)
            self.assertEqual(done.returncode != 0, status != 0, done.stderr)
            self.assertEqual("went on" in done.stdout, status == 0)

    def test_help_is_printed_before_anything_is_installed_or_built(self):
        """And an argument that a script does not have ends it, too."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            used = folder / "used"
            for name in ("swift", "apt-get", "dpkg-query", "pip", "python3"):
                tool = folder / name
                tool.write_text(f"#!/bin/sh\necho {name} >>{used}\nexit 1\n")
                tool.chmod(0o755)
            path = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
            for name in ("test", "bench", "demo", "docs", "fuzz", "lab", "run", "release", "install"):
                for argument in ("--help", "-h"):
                    shown = run(f"{DEPLOY}/{name}", argument, env=path, cwd=folder)
                    self.assertIn(f"deploy/{name} ", shown)
                    self.assertIn("installs", shown)
            for name in ("test", "bench", "demo", "docs", "fuzz", "release", "install"):
                shown = run(f"{DEPLOY}/{name}", "--halp", env=path, cwd=folder, code=2)
                self.assertIn(f"deploy/{name} has no argument --halp", shown)
            self.assertFalse(used.exists(), used.exists() and used.read_text())


def settings_of_serve():
    """The names of its settings, as its own help has them."""
    shown = subprocess.run([binary(), "serve", "--experimental-dump-help"], capture_output=True,
                           text=True, check=True, timeout=WAIT).stdout
    return {argument["preferredName"]["name"] for argument in json.loads(shown)["command"]["arguments"]}


class Settings(unittest.TestCase):
    def test_files_and_documents_name_only_settings_that_there_are(self):
        """A variable that is misspelt would be passed over."""
        known = settings_of_serve()
        folders = [DEPLOY / name for name in ("docker", "kubernetes", "systemd")]
        files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
        named = 0
        for path in [*files, DEPLOY / "run"]:
            for name in re.findall(r"RELOAD_ROUTER_([A-Z_]+)", path.read_text()):
                # Compose's own: which image.
                if name == "TAG":
                    continue
                named += 1
                self.assertIn(name.lower().replace("_", "-"), known, path)
        self.assertGreater(named, 5)
        documents = [DEPLOY.parent / "README.md", *DEPLOY.rglob("*.md")]
        given = [(path, flag) for path in documents
                 for flags in re.findall(r"\bserve((?: --[a-z-]+(?: [^ `-][^ `]*)?)+)", path.read_text())
                 for flag in re.findall(r"--([a-z-]+)", flags)]
        self.assertGreater(len(given), 4)
        for path, flag in given:
            self.assertIn(flag, known | {"help"}, path)


#: What runs the commands of a program.
PROGRAMS = {"reload-router": command, "reload-lab": lab}


class Systemd(StoreCase):
    def unit(self):
        """The unit with a binary that is there, which is all that is changed."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / UNIT.name
        path.write_text(UNIT.read_text().replace("/usr/local/bin/reload-router", binary()))
        return path

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze")
    def test_systemd_finds_nothing_to_complain_about(self):
        """No unknown directive, no value that is passed over."""
        said = run("systemd-analyze", "verify", "--man=no", self.unit())
        lines = [line for line in said.splitlines() if UNIT.name in line]
        self.assertEqual(lines, [])

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze")
    def test_systemd_finds_nothing_to_complain_about_in_the_drop_in(self):
        unit = self.unit()
        folder = pathlib.Path(f"{unit}.d")
        folder.mkdir()
        for text, complaint in ((DROP_IN.read_text(), ""),
                                # It is read, together with the unit.
                                (DROP_IN.read_text().replace("LoadCredential=", "LodCredential="),
                                 "LodCredential")):
            (folder / DROP_IN.name).write_text(text)
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], timeout=60 * PATIENCE,
                                  capture_output=True, text=True)
            said = "\n".join(line for line in (done.stdout + done.stderr).splitlines()
                             if DROP_IN.name in line or UNIT.name in line)
            (self.assertIn if complaint else self.assertEqual)(complaint, said)

    def test_the_unit_needs_no_credentials_and_serve_takes_those_of_the_drop_in(self):
        self.assertNotIn("LoadCredential", settings_of_unit())
        lines = DROP_IN.read_text().splitlines()
        for comment in ("", "#"):
            loaded = dict(line.partition("=")[2].split(":") for line in lines
                          if line.startswith(f"{comment}LoadCredential="))
            passed = dict(word.split("=") for line in lines
                          if line.startswith(f"{comment}Environment=")
                          for word in line.partition("=")[2].split())
            self.assertEqual({value.removeprefix("%d/") for value in passed.values()}, set(loaded))
            self.assertGreater(len(loaded), 1)
            if comment:
                continue
            # As systemd passes them: in a folder of their own, for the unit's user alone.
            folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
            run(binary(), "cert", "new", "--out", folder)
            for name in loaded:
                (folder / name).chmod(0o400)
            router = self.start(env={name: value.replace("%d", str(folder))
                                     for name, value in passed.items()})
            done = command("push", "--app", APP, "--to", router.to, "--token", TOKENS["publisher"],
                           "--ca", folder / "ca.pem", "{}")
            self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze")
    def test_it_may_do_little(self):
        """As systemd itself judges it, offline."""
        run("systemd-analyze", "security", "--offline=true", "--no-pager",
            f"--threshold={EXPOSURE}", self.unit())

    @unittest.skipUnless(shutil.which("systemd-analyze") and shutil.which("strace"),
                         "needs systemd-analyze and strace")
    def test_every_system_call_of_a_router_is_allowed(self):
        """Of one that starts, serves, writes a checkpoint, reads its app file again and drains.

        Meanwhile operators ask it, push over HTTP and have a backup made.
        """
        allowed = self.allowed_calls()
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        trace, wrapper = folder / "trace", folder / "router"
        # Not as root, like the service, because root gives files away; but with the right to this
        # test's files.
        user = "setpriv --reuid 65534 --inh-caps=+dac_override --ambient-caps=+dac_override " \
            if os.geteuid() == 0 else ""
        # The tracer goes aside, so that the process that the test knows is the router.
        wrapper.write_text(f"#!/bin/sh\nexec {user}strace -f -qq -e signal=none -o {trace} "
                           f"--daemonize=grandchild {binary()} \"$@\"\n")
        wrapper.chmod(0o755)
        router = Router(*ADMIN, "--checkpoint-after", 4_096, "--record", folder / "capture",
                        "--backup-folder", folder, program=wrapper)
        self.routers.append(router)
        device, publisher = self.device("d-1", ELF, router=router), self.publisher(router=router)
        for _ in range(300):
            publisher.pushed(HEALING)
        router.wait_log("the checkpoint is on the disk")
        wait_ready(router)
        for path, body in (("/v1/backup", {"name": "backup"}),
                           ("/v1/explain", {"app": APP, "payload": HEALING}),
                           (f"/v1/pushes?app={APP}", HEALING)):
            answer = ask(router, path, "POST", json.dumps(body),
                         {"Content-Type": "application/json"})
            self.assertEqual(answer.status, 200, answer.text)
        router.signal(signal.SIGHUP)
        router.wait_log("app file read again")
        self.assertEqual(router.stop(), 0)
        # A line may end with the process; strace writes the last ones after that.
        wait_until(lambda: "exit_group" in trace.read_text(), "the trace is whole")
        called = set(re.findall(r"(?m)^\d+ +(?:<\.\.\. )?([a-z_0-9]+)(?:\(| resumed)",
                                trace.read_text()))
        self.assertGreater(len(called), 40)
        # How the process itself begins is done by systemd, before the filter.
        self.assertEqual(called - allowed - {"execve"}, set())

    def allowed_calls(self):
        """The system calls that SystemCallFilter leaves."""
        allowed = set()
        for line in UNIT.read_text().splitlines():
            if not line.startswith("SystemCallFilter="):
                continue
            value = line.partition("=")[2]
            calls = set()
            for group in value.removeprefix("~").split():
                calls |= self.calls(group)
            allowed = allowed - calls if value.startswith("~") else allowed | calls
        return allowed

    def calls(self, group):
        if not group.startswith("@"):
            return {group}
        found = set()
        for line in run("systemd-analyze", "syscall-filter", "--no-pager", group).splitlines()[1:]:
            word = line.strip()
            if word and not word.startswith("#"):
                found |= self.calls(word)
        return found

    def test_its_settings_are_a_routers(self):
        """`check` takes the settings file, and the unit's limits go together with them."""
        run(binary(), "check", "--config", DEPLOY / "systemd" / "settings.json",
            env=clean_environment())
        unit = settings_of_unit()
        settings = json.loads((DEPLOY / "systemd" / "settings.json").read_text())
        self.assertEqual(unit["Type"], "notify")
        self.assertGreater(int(unit["WatchdogSec"]), 0)
        # 65,536 connections, which is the default, and what is left to the store.
        self.assertEqual(int(unit["LimitNOFILE"]), 65_536 + 256)
        self.assertGreater(int(unit["TimeoutStopSec"]), settings["drain-timeout"] + 10)
        self.assertTrue(settings["store"].startswith(f"/var/lib/{unit['StateDirectory']}/"))
        self.assertIs(settings["store-must-exist"], True, "an empty disk is no new router")
        self.assertIn(f"reload-router store create --store {settings['store']}\n",
                      (DEPLOY / "runbook.md").read_text(), "and the first one is made by hand")


class FaithfulPublisher(threading.Thread):
    """A publisher by the book: it connects again, reads `lastSeq`, and sends the rest once more."""

    def __init__(self, address):
        super().__init__()
        self.address, self.acked, self.failure = address, [], None
        self.drains = 0
        self._stops = threading.Event()

    def run(self):
        while not self._stops.is_set() and not self.failure:
            try:
                self._session()
            except Ended:
                self.drains += 1
            except OSError:
                continue  # It is not there yet.
            except Exception as problem:
                self.failure = problem

    def _session(self):
        client = Client(self.address)
        try:
            client.hello("publisher", producer="faithful")
            client.seq = client.acked = client.expect(WELCOME).json["lastSeq"]
            while not self._stops.is_set():
                client.pushed(HEALING)
                self.acked.append(client.acked)
        finally:
            client.close()

    def stop(self):
        self._stops.set()
        self.join()


class Upgrade(StoreCase):
    def test_the_runbooks_upgrade_loses_no_push(self):
        """Backup, check of it, drain, start, while pushes come; each is accepted once."""
        router = self.router
        # The same port again, as an operator has it.
        router._arguments[router._arguments.index("--listen") + 1] = router.to
        device = self.device("d-1", ELF)
        publisher = FaithfulPublisher(router.address)
        publisher.start()
        try:
            wait_until(lambda: len(publisher.acked) > 50, "pushes are still accepted")
            copy = pathlib.Path(router.folder.name) / "backup"
            self.tool("backup", router, copy)
            trial = copy.with_name("trial")
            shutil.copytree(copy, trial)
            self.tool("check", trial)
            router.restart(kill=False)
            before = len(publisher.acked)
            wait_until(lambda: len(publisher.acked) > before + 50, "pushes are still accepted", 20)
        finally:
            publisher.stop()
        self.assertIsNone(publisher.failure)
        self.assertGreater(publisher.drains, 0)
        self.assertEqual(sorted(set(publisher.acked)), publisher.acked)
        last = self.publisher("faithful").welcome["lastSeq"]
        self.assertTrue(publisher.acked[-1] <= last <= publisher.acked[-1] + 1, last)
        # Those of which an answer was lost with the connection were accepted all the same.
        self.assertLessEqual(last - len(publisher.acked), publisher.drains + 1)
        device.close()


class Runbook(unittest.TestCase):
    def test_every_command_that_it_names_is_there(self):
        """Subcommands with their flags; `tidy.py` looks for the paths."""
        for name in ("runbook.md", "tuning.md", "store.md", "metrics.md", "release.md", "apns.md"):
            text = (DEPLOY / name).read_text()
            for line in self.commands(text):
                program, *words = self.subcommand(line)
                said = PROGRAMS[program]("help", *words)
                self.assertEqual(said.returncode, 0, f"{name}: {line}: {said.stderr}")
                known = set(re.findall(r"--[a-z][a-z0-9-]*", said.stdout))
                self.assertLessEqual(set(re.findall(r"--[a-z][a-z0-9-]*", line)), known, line)

    #: Those that have commands of their own.
    def test_every_test_that_the_threats_name_is_there(self):
        """Each line of deploy/security.md has one."""
        text = (DEPLOY / "security.md").read_text()
        known = "".join(p.read_text() for p in (CHECKOUT / "Tests/IntegrationTests").glob("*.py"))
        for name in re.findall(r"`(test_\w+?)(\.py)?`", text):
            file = CHECKOUT / "Tests/IntegrationTests" / "".join(name)
            self.assertTrue(file.exists() or f"def {name[0]}(" in known, name)

    GROUPS = ("token", "cert", "store", "producers", "bench", "capture")

    def commands(self, text):
        """The programs' commands: at the beginning of a line, in code, or in a container."""
        text = text.replace("\\\n", " ")
        found = re.findall(r"(?m)(?:^ +|`|&& |router |-- )(reload-(?:router|lab)(?:\.new)? "
                           r"(?!-)[a-z][^`\n]*)", text)
        return [re.split(r" (?:&&|[|#>])", line)[0] for line in found]

    def subcommand(self, line):
        words = line.replace(".new", "").split()
        return words[:3] if words[1] in self.GROUPS else words[:2]


if __name__ == "__main__":
    unittest.main()
