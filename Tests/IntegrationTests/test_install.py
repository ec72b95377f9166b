"""deploy/install, with a build that is there already."""

import os
import pathlib
import shutil
import tempfile
import unittest

from deploy_case import *


class Install(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)
        (self.folder / "deploy").mkdir()
        for name in ("install", "common.sh"):
            shutil.copy(DEPLOY / name, self.folder / "deploy" / name)
        tools = self.folder / "tools"
        for path, text in (
            (".build/release/reload-router", "echo one"),
            (".build/release/reload-lab", "echo lab"),
            ("tools/swift", 'case $1 in --version) echo "Swift version 6.3.1";; esac'),
            ("tools/dpkg-query", 'echo "install ok installed"'),
        ):
            self.script(path, text)
        self.path = f"{tools}:{os.environ['PATH']}"
        self.to = self.folder / "bin"

    def script(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def install(self, *arguments, **environment):
        return run(
            self.folder / "deploy/install", *arguments, env={**os.environ, "PATH": self.path, **environment}
        )

    def test_it_installs_once_and_says_so(self):
        self.assertIn(f"installed  {self.to}/reload-router\n", self.install("--to", self.to))
        self.assertEqual([path.name for path in self.to.iterdir()], ["reload-router"])
        inode = (self.to / "reload-router").stat().st_ino
        self.assertIn(f"unchanged  {self.to}/reload-router\n", self.install("--to", self.to))
        self.assertEqual((self.to / "reload-router").stat().st_ino, inode)

    def test_a_new_build_takes_the_place_of_the_old_one(self):
        self.install("--to", self.to, "--lab")
        self.script(".build/release/reload-router", "echo two")
        said = self.install("--to", self.to, "--lab")
        self.assertIn(f"installed  {self.to}/reload-router\n", said)
        self.assertIn(f"unchanged  {self.to}/reload-lab\n", said)
        self.assertEqual(run(self.to / "reload-router"), "two\n")
        self.assertEqual(sorted(path.name for path in self.to.iterdir()), ["reload-lab", "reload-router"])

    def test_shells_find_the_completions(self):
        share = self.folder / "share"
        files = [share / name for name in ("bash-completion/completions/reload-router",
                                           "zsh/site-functions/_reload-router",
                                           "fish/vendor_completions.d/reload-router.fish")]
        self.script(".build/release/reload-router", 'echo "$@"')
        self.install("--to", self.to)
        for file, shell in zip(files, ("bash", "zsh", "fish")):
            self.assertEqual(file.read_text(), f"--generate-completion-script {shell}\n")
        self.install("--uninstall", "--to", self.to)
        self.assertFalse(any(file.exists() for file in files))

    def test_it_removes_what_it_has_installed_and_nothing_else(self):
        self.install("--to", self.to)
        (self.to / "other").touch()
        said = self.install("--uninstall", "--to", self.to)
        self.assertIn(f"removed    {self.to}/reload-router\n", said)
        self.assertIn(f"not there  {self.to}/reload-lab\n", said)
        self.assertEqual([path.name for path in self.to.iterdir()], ["other"])
        self.assertNotIn("removed", self.install("--uninstall", "--to", self.to))

    def test_it_says_how_to_put_the_folder_on_the_path(self):
        self.assertIn(f'export PATH="{self.to}:$PATH"', self.install("--to", self.to))
        said = self.install("--to", self.to, PATH=f"{self.to}:{self.path}")
        self.assertNotIn("export PATH", said)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root and setpriv")
    def test_without_root_it_installs_for_the_user_alone(self):
        home = self.folder / "home"
        home.mkdir()
        os.chown(home, 65534, 65534)
        said = run(
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            self.folder / "deploy/install",
            env={"PATH": self.path, "HOME": str(home)},
        )
        self.assertIn(f"installed  {home}/.local/bin/reload-router\n", said)
        self.assertEqual(run(home / ".local/bin/reload-router"), "one\n")

    def test_a_build_that_fails_installs_nothing(self):
        self.script("tools/swift", 'case $1 in --version) echo "Swift version 6.3.1";; *) exit 3;; esac')
        run(self.folder / "deploy/install", "--to", self.to, code=1, env={**os.environ, "PATH": self.path})
        self.assertFalse(self.to.exists())


if __name__ == "__main__":
    unittest.main()
