"""`reload-router context`: a router's address, app and files by a name, read where a flag is not given."""

import json
import pathlib
import shlex
import stat
import subprocess
import tempfile
import unittest

from support import *

PUSH = ("push", json.dumps(HEALING))


class Contexts(RouterCase):
    flags = ("--admin", "127.0.0.1:0")

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="reload-router-contexts-")))
        self.file = self.folder / "config/reload-router/contexts.json"
        self.environment = {"XDG_CONFIG_HOME": str(self.folder / "config")}
        for name, token in (("publisher", TOKENS["publisher"]), ("device", TOKENS["device"]),
                            ("admin", ADMIN_TOKEN), ("wrong", "no-token-of-this-router")):
            (self.folder / name).write_text(f"{token}\n")
            (self.folder / name).chmod(0o600)

    def does(self, *arguments, code=0, cwd=None, **environment):
        """What a command prints, on both streams."""
        done = command(*arguments, env=self.environment | environment, cwd=cwd)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def add(self, name, *flags, router=None, app=APP, token="publisher"):
        router = router or self.router
        self.does("context", "add", name, "--to", router.to, "--app", app, "--token-file",
                  self.folder / token, "--admin", "{}:{}".format(*router.admin), "--admin-token-file",
                  self.folder / "admin", *flags)

    def test_no_command_repeats_the_flags_of_the_context_in_use(self):
        self.device("d-1", widget("w1", character="elf-42"))
        self.add("game")
        self.assertIn("--app", self.does(*PUSH, code=64))
        self.does("context", "use", "game")
        self.assertIn("matched 1", self.does(*PUSH))
        # No token but the context's is there for the admin server.
        nothing = {"XDG_STATE_HOME": str(self.folder / "state")}
        for arguments in (("producers",), ("dashboard",), ("top", "--once", "--json"),
                          ("token", "revocations", APP), ("explain", "--push", json.dumps(HEALING))):
            with self.subTest(arguments[0]):
                self.does(*arguments, **nothing)
        device = self.does("device", "--device", "d-2", "--widget", f"{DETAIL}:w:character=elf-42",
                           "--token-file", self.folder / "device", "--request", "all",
                           "--count", "1")
        self.assertIn("registered 1 device\n", device)
        self.assertIn('"device":"d-2"', device)

    def test_a_flag_wins_and_the_environment_names_another_context_for_a_call(self):
        self.add("game")
        self.add("wrong", token="wrong")
        self.add("other", app="com.other")
        self.does("context", "use", "wrong")
        self.assertIn("token-invalid", self.does(*PUSH, code=2))
        self.assertIn("accepted 1", self.does(*PUSH, "--token-file", self.folder / "publisher"))
        self.assertIn("accepted 1", self.does(*PUSH, RELOAD_ROUTER_TOKEN=TOKENS["publisher"]))
        self.assertIn("accepted 1", self.does(*PUSH, "--app", "com.other"))
        self.assertIn("accepted 1", self.does(*PUSH, RELOAD_ROUTER_CONTEXT="other"))
        self.assertIn("--app", self.does(*PUSH, code=64, RELOAD_ROUTER_CONTEXT=""))
        self.does("context", "use")
        self.assertIn("--app", self.does(*PUSH, code=64))

    def test_another_router_gets_no_token_of_the_context(self):
        self.add("game")
        self.does("context", "use", "game")
        other = self.start("--admin", "127.0.0.1:0")
        self.assertIn("HELLO has no token", self.does(*PUSH, "--to", other.to, code=2))
        self.assertIn("--token-file", self.does(
            "producers", "--to", "{}:{}".format(*other.admin), code=1, XDG_STATE_HOME=str(self.folder)))
        # The same address is the same router.
        self.assertIn("accepted 1", self.does(*PUSH, "--to", self.router.to))

    def test_a_context_has_tls_and_names_files_from_any_folder(self):
        made = self.folder / "certificates"
        self.does("cert", "new", "--out", made)
        for tls, scheme in (("off", ""), ("on", "https://")):
            router = self.start("--admin", "127.0.0.1:0", "--admin-tls", tls, "--cert", made / "cert.pem",
                                "--key", made / "key.pem")
            admin = "{}{}:{}".format(scheme, *router.admin)
            self.does("context", "add", tls, "--to", router.to, "--app", APP, "--token-file", "publisher",
                      "--ca", "certificates/ca.pem", "--admin", admin, cwd=self.folder)
            self.does("context", "use", tls)
            self.assertIn("accepted 1", self.does(*PUSH, cwd="/"))
            self.assertIn("lastSeq 1", self.does("producers", cwd="/"))
            self.assertEqual(self.does("context", "show").splitlines(), [
                tls, f"  --to {router.to}", f"  --app {APP}", f"  --token-file {self.folder}/publisher",
                f"  --admin {admin}", f"  --ca {made}/ca.pem"])

    def test_a_router_without_tls_may_have_an_admin_server_with_it(self):
        made = self.folder / "certificates"
        self.does("cert", "new", "--out", made)
        # As a proxy before the admin server has it.
        proxy = self.start("--admin", "127.0.0.1:0", "--admin-tls", "on", "--cert", made / "cert.pem",
                           "--key", made / "key.pem")
        self.does("context", "add", "game", "--to", self.router.to, "--plaintext", "--app", APP, "--token-file",
                  self.folder / "publisher", "--admin", "https://{}:{}".format(*proxy.admin),
                  "--admin-token-file", self.folder / "admin")
        self.does("context", "use", "game")
        self.assertIn("accepted 1", self.does(*PUSH))
        self.assertIn("certificate", self.does("producers", code=2))
        self.does("producers", "--ca", made / "ca.pem")

    def test_they_are_listed_and_removed(self):
        self.add("game")
        self.add("a", app="com.other")
        self.does("context", "use", "game")
        self.assertEqual(self.does("context", "list").splitlines(), [
            f"  a     {self.router.to}  com.other", f"* game  {self.router.to}  {APP}"])
        self.assertIn("* a", self.does("context", "list", RELOAD_ROUTER_CONTEXT="a"))
        self.does("context", "remove", "game")
        self.assertEqual(self.does("context", "list"), f"  a  {self.router.to}  com.other\n")
        self.assertIn("no context is in use", self.does("context", "show", code=1))

    def test_of_many_writers_at_once_each_changes_what_the_others_have_written(self):
        names = [f"c{number}" for number in range(24)]
        program = [binary(), "context", "add", "--to", "127.0.0.1:7410"]
        adding = [subprocess.Popen([*program, name], env=clean_environment(self.environment),
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for name in names]
        for process in adding:
            said, _ = process.communicate(timeout=20 * PATIENCE)
            self.assertEqual(process.returncode, 0, said)
        self.assertEqual(set(json.loads(self.file.read_text())["contexts"]), set(names))
        # Nothing is left beside it but what is locked.
        self.assertEqual({file.name for file in self.file.parent.iterdir()}, {"contexts.json", "contexts.json.lock"})

    def test_a_link_stays_one_and_what_it_leads_to_is_changed(self):
        self.file.parent.mkdir(parents=True)
        # Of a folder of settings, by a further link; at first to nothing.
        real, further = self.folder / "settings/contexts.json", self.folder / "further"
        further.symlink_to("settings/contexts.json")
        self.file.symlink_to("../../further")
        for name in ("a", "b"):
            self.add(name)
            self.assertTrue(self.file.is_symlink() and further.is_symlink())
            self.assertFalse(real.is_symlink())
            self.assertIn(name, json.loads(real.read_text())["contexts"])
        self.does("context", "use", "b")
        self.assertIn("accepted 1", self.does(*PUSH))

    def test_the_file_has_no_secret_and_is_its_owners(self):
        self.add("game")
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.file.parent.stat().st_mode), 0o700)
        for secret in (TOKENS["publisher"], ADMIN_TOKEN):
            self.assertNotIn(secret, self.file.read_text())

    def test_a_file_that_others_can_change_or_that_is_damaged_is_refused(self):
        self.add("game")
        self.does("context", "use", "game")
        self.file.chmod(0o620)
        self.assertIn(f"chmod go-w {self.file}", self.does(*PUSH, code=1))
        self.file.chmod(0o600)
        whole = self.file.read_text()
        for text in (whole[:-5], "[]", '{"use":"game","contexts":{}}', '{"contexts":{"game":{"app":"a"}}}',
                     '{"contexts":{"game":{"to":"a","password":"b"}}}', '{"context":{}}'):
            self.file.write_text(text)
            said = self.does(*PUSH, code=1)
            self.assertIn(f"the file of contexts is {self.file}, and is damaged: ", said)
        for members, reason in (({"to": "a:99999"}, "--to is a:99999"), ({"to": "a", "app": ""}, "--app has 0 bytes"),
                                ({"to": "a", "security": "tsl"}, "security is tsl;")):
            self.file.write_text(json.dumps({"contexts": {"game": members}}))
            said = self.does(*PUSH, code=1)
            self.assertIn(f"the file of contexts is {self.file}, and is damaged: game: {reason}", said)
        # What needs no context does not read it.
        self.does("version")
        self.does(*PUSH, "--to", self.router.to, "--app", APP, "--token", TOKENS["publisher"],
                  RELOAD_ROUTER_CONTEXT="")

    def test_a_command_that_is_given_everything_reads_no_context(self):
        self.file.parent.mkdir(parents=True)
        self.file.write_text("damaged")
        given = ("--app", APP, "--to", self.router.to)
        admin = ("--to", "{}:{}".format(*self.router.admin), "--token-file", self.folder / "admin")
        self.does(*PUSH, *given, code=1)
        self.assertIn("accepted 1", self.does(*PUSH, *given, "--token", TOKENS["publisher"]))
        self.assertIn("accepted 1", self.does(*PUSH, *given, RELOAD_ROUTER_TOKEN=TOKENS["publisher"]))
        self.does("producers", *admin)
        explain = ("explain", "--push", json.dumps(HEALING), *admin)
        self.does(*explain, "--app", APP)
        self.does(*explain, code=1)

    def test_a_home_that_is_no_folder_has_no_contexts(self):
        nowhere = {"XDG_CONFIG_HOME": "", "HOME": "/dev/null"}
        given = ("--app", APP, "--to", self.router.to)
        self.assertIn("HELLO has no token", self.does(*PUSH, *given, code=2, **nowhere))
        for arguments in ((*PUSH, *given), ("context", "add", "game", "--to", self.router.to)):
            said = self.does(*arguments, code=1, RELOAD_ROUTER_CONTEXT="game", **nowhere)
            self.assertIn("/dev/null/.config/reload-router/contexts.json", said)
            self.assertIn("Not a directory", said)

    def test_what_could_not_be_used_is_not_added(self):
        self.add("game")
        to = ("--to", "127.0.0.1:7410")
        for flags, says in (
            (("game", *to), "there is a context game already"),
            ((".x", *to), "the name of a context is .x"),
            (("a/b", *to), "the name of a context is a/b"),
            (("b", "--to", "a:99999"), "--to is a:99999"),
            (("b", *to, "--token-file", "/nonexistent"), "--token-file is /nonexistent: "),
            (("b", *to, "--ca", "/nonexistent"), "--ca is /nonexistent: "),
            (("b", *to, "--admin", "ftp://x"), "ftp://x"),
            (("b", *to, "--plaintext", "--ca", "x"), "--plaintext is without TLS"),
            (("b", *to, "--app", ""), "--app has 0 bytes"),
            (("b", *to, "--ca", self.folder), f"--ca is {self.folder}; it must be a file that later"),
            (("b", "--to", "a", "--admin-token-file", self.folder / "admin"), "give --admin"),
        ):
            with self.subTest(flags):
                done = command("context", "add", *flags, env=self.environment)
                self.assertIn(says, done.stderr)
                self.assertIn(done.returncode, (1, 64))
        piped = f"{shlex.quote(str(binary()))} context add b --to 7410 --token-file <(cat {self.folder}/publisher)"
        done = command("-c", piped, program="bash", env=self.environment)
        self.assertRegex(done.stderr, "--token-file is /dev/fd/[0-9]+; it must be a file that later")
        self.assertEqual(list(json.loads(self.file.read_text())["contexts"]), ["game"])

    def test_an_unknown_context_is_named_with_those_that_there_are(self):
        self.assertIn("there is no context game; there are none", self.does("context", "use", "game", code=1))
        self.add("game")
        self.assertIn("there is no context gmae; did you mean game?", self.does("context", "use", "gmae", code=1))
        self.assertIn("RELOAD_ROUTER_CONTEXT: there is no context news; there are game",
                      self.does(*PUSH, code=1, RELOAD_ROUTER_CONTEXT="news"))

    def test_a_remote_router_without_an_admin_server_is_not_confused_with_this_machines(self):
        self.does("context", "add", "far", "--to", "router.example:7410")
        self.does("context", "use", "far")
        self.assertIn("the context far has no admin server", self.does("top", "--once", code=1))


if __name__ == "__main__":
    unittest.main()
