"""Operators of the admin server: the token file, names and roles, links for browsers, the audit log."""

import hashlib
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import types
import unittest

from admin import *
from browser import Browser
from store_case import *

ADMIN = ("--admin", "127.0.0.1:0")
NOBODY = {"Authorization": None}
ANNA, BEN, CLARA = "annas-token-0123456789", "bens-token-0123456789", "claras-token-012345"


def listed(name, role, secret, **members):
    """An operator with a token, as the list has it."""
    return {"name": name, "role": role, "sha256": hashlib.sha256(secret.encode()).hexdigest()} | members


class OperatorCase(StoreCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.operators = self.folder / "operators.json"
        super().setUp()

    def list(self, *operators):
        self.operators.write_text(json.dumps({"operators": operators}))

    def audit(self, router, *states):
        """The lines of the audit log: of commands that have ended, unless other states are given."""
        path = pathlib.Path(f"{router.store}.audit.jsonl")
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [line for line in lines if line["state"] in (states or ("done", "refused"))]

    def verify(self, router, code=0):
        """What the tool says of the audit log."""
        said = command("audit", "verify", f"{router.store}.audit.jsonl")
        self.assertEqual(said.returncode, code, said.stdout + said.stderr)
        return said.stdout + said.stderr


class TokenFile(OperatorCase):
    def start_anew(self, port=0, **environment):
        """A router of a user who has no token file yet."""
        state = self.folder / "state"
        return state / "reload-router/admin-token", self.start(
            "--admin", f"127.0.0.1:{port}", env={"XDG_STATE_HOME": str(state)} | environment)

    def test_it_is_made_at_the_first_start_and_others_cannot_read_it(self):
        file, router = self.start_anew()
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        token = file.read_text().strip()
        self.assertGreaterEqual(len(token), 43)
        self.assertEqual(ask(router, "/v1/status", headers=NOBODY).status, 401)
        self.assertEqual(ask(router, "/v1/status", headers=bearer(token)).status, 200)
        self.assertNotIn(token, router.log + router.output)
        router.restart(kill=False)
        self.assertEqual(file.read_text().strip(), token)

    def test_commands_find_it_for_a_router_of_this_machine(self):
        _, router = self.start_anew()
        address = "{}:{}".format(*router.admin)
        state = {"XDG_STATE_HOME": str(self.folder / "state")}
        for arguments in (("top", "--once", "--json"), ("producers",), ("dashboard",),
                          ("explain", "--app", APP, "--push", "{}")):
            found = command(*arguments, "--to", address, env=state)
            self.assertEqual(found.returncode, 0, found.stderr)
            refused = command(*arguments, "--to", address, env={"XDG_STATE_HOME": "/nonexistent"})
            self.assertEqual((refused.returncode, refused.stdout), (1, ""), arguments)
            self.assertIn("--token-file", refused.stderr)

    def test_another_program_at_the_port_does_not_get_it(self):
        """A tunnel to another machine, or a stranger while the router is down."""
        port = fixed_port()
        file, router = self.start_anew(port)
        mark = file.with_name(f"admin-token-{port}")
        self.assertEqual(mark.read_text().strip(), str(router.process.pid))
        router.kill()
        self.routers.remove(router)
        self.addCleanup(router.folder.cleanup)
        with socket.create_server(("127.0.0.1", port)) as server:
            server.settimeout(WAIT)
            process = subprocess.Popen(
                [binary(), "producers", "--to", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=clean_environment({"XDG_STATE_HOME": str(self.folder / "state")}))
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            with server.accept()[0] as accepted:
                request = b""
                while b"\r\n\r\n" not in request and (part := accepted.recv(4_096)):
                    request += part
        self.assertIn(b"GET ", request)
        self.assertNotIn(b"Authorization", request)

    def test_no_other_machine_gets_it(self):
        """A name that is not this machine's: here one that leads back all the same."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(WAIT)
            name = f"{socket.gethostname()}:{server.getsockname()[1]}"
            process = subprocess.Popen([binary(), "producers", "--to", name], env=clean_environment(),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            try:
                accepted, _ = server.accept()
            except TimeoutError:
                self.skipTest("the machine's own name does not lead to 127.0.0.1")
            with accepted:
                # It begins with a handshake, which this server does not answer.
                request = accepted.recv(4_096)
            self.assertTrue(request)
            self.assertNotIn(b"Authorization", request)

    def test_a_file_that_others_can_read_is_refused_with_the_line_that_mends_it(self):
        file = self.folder / "token"
        file.write_text("a-token-that-is-long-enough\n")
        file.chmod(0o644)
        said = command("serve", *ADMIN, "--listen", "127.0.0.1:0", "--apps", self.apps(), "--store", "none",
                       "--admin-token-file", file)
        self.assertEqual(said.returncode, 1)
        self.assertIn(f"chmod 600 {file}", said.stderr)

    def test_files_that_others_could_change_are_refused_with_the_line_that_mends_it(self):
        """Whichever decides: token file, list of operators, app file, configuration, audit log."""
        def made(name, text, mode=0o600):
            path = self.folder / name
            path.write_text(text)
            path.chmod(mode)
            return path
        token, apps = made("token", "a-token-that-is-long-enough\n"), self.apps()
        operators, config = made("operators.json", '{"operators":[]}'), made("config.json", "{}")
        audit = made("audit.jsonl", "")
        flags = ("serve", *ADMIN, "--listen", "127.0.0.1:0", "--apps", apps, "--store", "none",
                 "--admin-token-file", token, "--operators", operators, "--config", config, "--audit-log", audit)

        def refused(reason):
            said = command(*flags)
            self.assertEqual((said.returncode, said.stdout), (1, ""), said.stderr)
            self.assertIn(reason, said.stderr)
        for path in (token, operators, apps, config, audit):
            former = stat.S_IMODE(path.stat().st_mode)
            for mode in (0o620, 0o602):
                path.chmod(mode)
                refused(f"chmod go-w {path}")
            path.chmod(former)
            if path == audit or os.geteuid() == 0:
                moved = path.rename(self.folder / "moved")
                path.symlink_to(moved)
                # What is read may be a link of root or the router's user; what is written may not.
                if path != audit:
                    os.lchown(path, 12345, 12345)
                refused(f"$(readlink -f {path})" if path == audit else f"chown -h 0 {path}")
                path.unlink()
                moved.rename(path)
        self.folder.chmod(0o777)
        refused(f"chmod go-w {self.folder}")
        self.folder.chmod(0o700)
        if os.geteuid() == 0:
            os.chown(operators, 12345, 0)
            refused(f"chown 0 {operators}")

    def test_a_list_that_others_could_change_is_not_read_on_hang_up(self):
        self.list(listed("anna", "admin", ANNA))
        router = self.start(*ADMIN, "--operators", self.operators)
        self.list(listed("anna", "admin", ANNA), listed("ben", "admin", BEN))
        self.operators.chmod(0o666)
        router.signal(signal.SIGHUP)
        router.wait_log("operators refused")
        self.assertIn(f"chmod go-w {self.operators}", router.log)
        self.assertEqual(ask(router, "/v1/operator", headers=bearer(BEN)).status, 401)
        self.operators.chmod(0o644)
        router.signal(signal.SIGHUP)
        router.wait_log("operators read again")
        self.assertEqual(ask(router, "/v1/operator", headers=bearer(BEN)).status, 200)

    def apps(self):
        path = self.folder / "apps.json"
        path.write_text(json.dumps(APPS))
        return path

    def test_a_home_that_is_missing_is_a_clear_error(self):
        env = {"XDG_STATE_HOME": "", "HOME": ""}
        said = command("serve", *ADMIN, "--listen", "127.0.0.1:0", "--apps", self.apps(), "--store", "none",
                       env=env)
        self.assertEqual(said.returncode, 1)
        self.assertIn("--admin-token-file FILE", said.stderr)

    def test_a_new_one_is_made_on_hang_up_when_the_old_one_is_gone(self):
        file, router = self.start_anew()
        old = file.read_text().strip()
        file.unlink()
        router.signal(signal.SIGHUP)
        router.wait_log("operators read again")
        new = file.read_text().strip()
        self.assertNotEqual(new, old)
        self.assertEqual(ask(router, "/v1/status", headers=bearer(old)).status, 401)
        self.assertEqual(ask(router, "/v1/status", headers=bearer(new)).status, 200)

    def test_none_needs_operators(self):
        flags = ("serve", *ADMIN, "--listen", "127.0.0.1:0", "--apps", self.apps(), "--store", "none",
                 "--admin-token-file", "none")
        said = command(*flags)
        self.assertEqual(said.returncode, 1)
        self.assertIn("--operators", said.stderr)
        self.list(listed("anna", "admin", ANNA))
        router = self.start(*ADMIN, "--admin-token-file", "none", "--operators", self.operators)
        self.assertEqual(ask(router, "/v1/operator").status, 401)
        self.assertEqual(ask(router, "/v1/operator", headers=bearer(ANNA)).json["name"], "anna")
        self.assertNotIn("dashboard", router.output)


class Roles(OperatorCase):
    def setUp(self):
        super().setUp()
        self.list(listed("anna", "admin", ANNA), listed("ben", "operator", BEN),
                  listed("clara", "viewer", CLARA))
        self.router = self.start(*ADMIN, "--operators", self.operators)

    def status(self, token, path, method="GET", body=None):
        return ask(self.router, path, method, body, bearer(token)).status

    def test_a_role_may_do_what_it_may(self):
        for token, statuses in ((CLARA, (200, 403, 403)), (BEN, (200, 200, 403)), (ANNA, (200, 200, 200))):
            self.assertEqual(
                (self.status(token, "/v1/status"),
                 self.status(token, f"/v1/apps/{APP}/resume", "POST"),
                 self.status(token, "/v1/app-file", "PUT", json.dumps(APPS))), statuses)
        for token, status in ((BEN, 403), (ANNA, 200)):
            self.assertEqual(self.status(token, f"/v1/pushes?app={APP}", "POST", "{}"), status)
        refused = ask(self.router, "/v1/drain", "POST", headers=bearer(CLARA)).problem
        self.assertEqual(refused["code"], "role-insufficient")
        self.assertIn("clara is a viewer; this needs the role operator", refused["detail"])

    def test_a_role_for_some_apps_is_for_these_alone(self):
        self.list(listed("ben", "operator", BEN, apps=[APP]))
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("operators read again")
        self.assertEqual(self.status(BEN, f"/v1/apps/{APP}/pause", "POST"), 200)
        for path, method in (("/v1/apps/com.other/pause", "POST"), ("/v1/drain", "POST"), ("/v1/connections", "GET")):
            refused = ask(self.router, path, method, headers=bearer(BEN))
            self.assertEqual((refused.status, refused.problem["code"]), (403, "app-forbidden"), path)

    def test_who_is_removed_is_out_at_once_and_its_stream_ends(self):
        with socket.create_connection(self.router.admin, timeout=WAIT) as stream:
            stream.sendall(f"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {CLARA}"
                           "\r\n\r\n".encode())
            self.assertIn(b"200", stream.recv(4_096))
            self.list(listed("anna", "admin", ANNA))
            self.router.signal(signal.SIGHUP)
            self.router.wait_log("operators read again")
            last = b""
            while not last.endswith(b"0\r\n\r\n"):
                last = (last + stream.recv(1 << 16))[-64:]
        self.assertEqual(self.status(CLARA, "/v1/status"), 401)
        self.assertEqual(self.status(ANNA, "/v1/status"), 200)

    def test_a_credential_ends_by_the_clock(self):
        self.list(listed("anna", "admin", ANNA, notAfter="2020-01-01T00:00:00Z"))
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("operators read again")
        refused = ask(self.router, "/v1/status", headers=bearer(ANNA))
        self.assertEqual((refused.status, refused.problem["code"]), (401, "token-expired"))

    def test_a_list_that_is_wrong_changes_nothing(self):
        for text, said in (("{", "the document ends in the middle"), ('{"operators":[{"name":"x"}]}', "a member role"),
                           (json.dumps({"operators": [listed("x", "admin", "a" * 20, token="y")]}),
                            "there is no member")):
            self.operators.write_text(text)
            self.router.signal(signal.SIGHUP)
            wait_until(lambda: said in self.router.log, said)
            self.assertEqual(self.status(ANNA, "/v1/status"), 200)
        ended = command("serve", *ADMIN, "--listen", "127.0.0.1:0", "--apps", self.router.apps, "--store",
                        "none", "--operators", self.operators)
        self.assertEqual(ended.returncode, 1)
        self.assertIn(f"operators is {self.operators}: ", ended.stderr)

    def test_token_new_makes_an_operators_token(self):
        made = command("token", "new", "--id", "dora", "--operator", "viewer")
        token = re.search(r"(?m)^token: +([\w-]{43})$", made.stdout)[1]
        entry = re.search(r"(?m)^operators: +(\{.*\})$", made.stdout)[1]
        self.list(json.loads(entry))
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("operators read again")
        self.assertEqual(self.status(token, "/v1/operator"), 200)


class Audit(OperatorCase):
    def test_every_command_is_in_it_with_who_and_what_was_before(self):
        self.list(listed("anna", "admin", ANNA), listed("clara", "viewer", CLARA))
        router = self.start(*ADMIN, "--operators", self.operators)
        anna = bearer(ANNA)
        ask(router, f"/v1/apps/{APP}/pause", "POST", headers=anna | {"X-Request-Id": "r-1"})
        ask(router, f"/v1/apps/{APP}/pause", "POST", headers=anna)
        ask(router, "/v1/log-level", "PUT", '{"level":"debug"}', anna)
        ask(router, "/v1/apps/none/pause", "POST", headers=anna)
        changed = json.loads(json.dumps(APPS))
        changed["apps"][0]["publishers"].append(
            {"id": "the-new-one", "sha256": hashlib.sha256(b"x").hexdigest()})
        ask(router, "/v1/app-file", "PUT", json.dumps(changed), anna)
        ask(router, "/v1/status", headers=anna)
        lines = self.audit(router)
        ask(router, "/v1/sessions", "POST", '{"code":"wrong"}', NOBODY)
        ask(router, "/v1/drain", "POST", headers=NOBODY)
        self.assertEqual(self.audit(router), lines, "strangers cannot fill the log")
        commands = ([f"POST /v1/apps/{APP}/pause"] * 2
                    + ["PUT /v1/log-level", "POST /v1/apps/none/pause", "PUT /v1/app-file"])
        self.assertEqual([line["command"] for line in lines], commands)
        self.assertEqual([line["command"] for line in self.audit(router, "begun")], commands)
        self.assertIn("ok (10 lines)", self.verify(router))
        first, again, level, refused, apps = lines
        self.assertEqual((first["operator"], first["role"], first["by"], first["request"], first["status"]),
                         ("anna", "admin", "token", "r-1", 200))
        self.assertRegex(first["from"], r"^127\.0\.0\.1:\d+$")
        self.assertRegex(first["at"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertEqual((first["before"], first["after"]), ({"isPaused": False}, {"isPaused": True}))
        self.assertEqual((again["before"], again["after"]), (None, None))
        self.assertEqual((level["before"], level["after"]), ({"level": "info"}, {"level": "debug"}))
        self.assertEqual((refused["status"], refused["problem"]), (404, "app-unknown"))
        self.assertEqual(apps["before"]["credentials"], [])
        self.assertRegex(apps["after"]["credentials"][0], f"^{APP} publisher the-new-one [0-9a-f]{{32}}$")
        self.assertNotEqual(apps["after"]["sha256"], apps["before"]["sha256"])
        served = ask(router, "/v1/app-file", headers=anna).text
        self.assertNotIn(ANNA, pathlib.Path(f"{router.store}.audit.jsonl").read_text() + served)

    def test_it_continues_after_a_kill(self):
        router = self.start(*ADMIN)
        ask(router, f"/v1/apps/{APP}/pause", "POST")
        router.restart()
        ask(router, f"/v1/apps/{APP}/pause", "POST")
        self.assertEqual(len(self.audit(router)), 2)

    def test_while_it_cannot_be_written_commands_have_no_effect(self):
        """A folder stands where the file was."""
        router = self.start(*ADMIN)
        path = pathlib.Path(f"{router.store}.audit.jsonl")
        path.unlink()
        path.mkdir()
        for _ in range(2):
            refused = ask(router, f"/v1/apps/{APP}/pause", "POST")
            self.assertEqual((refused.status, refused.problem["code"]), (503, "audit-log-failing"))
        self.assertIs(ask(router, f"/v1/apps/{APP}").json["isPaused"], False)
        router.wait_log("the audit log cannot be written: commands are refused")
        self.assertEqual(ask(router, "/v1/status").status, 200)
        self.assertEqual(metrics(router)["audit_log_failing"], 1)
        path.rmdir()
        # It is tried again without a command.
        wait_until(lambda: metrics(router)["audit_log_failing"] == 0, "it is written again")
        self.assertEqual(ask(router, f"/v1/apps/{APP}/pause", "POST").status, 200)
        self.assertEqual(len(self.audit(router)), 1)
        failed, = self.audit(router, "failed")
        self.assertEqual((failed["operator"], failed["problem"]), ("(router)", "Is a directory"))
        self.verify(router)

    def test_pushes_are_counted_after_a_line_that_they_begin(self):
        router = self.start(*ADMIN)
        for _ in range(5):
            self.assertEqual(ask(router, f"/v1/pushes?app={APP}", "POST", "{}").status, 200)
        self.assertEqual([line["command"] for line in self.audit(router, "begun")], ["POST /v1/pushes"])
        self.assertEqual(router.stop(), 0)
        counted, = self.audit(router, "counted")
        self.assertEqual(counted["done"], [{"command": "POST /v1/pushes", "app": APP, "count": 5, "items": 5}])

    def test_refusals_are_counted_in_one_line(self):
        self.list(listed("clara", "viewer", CLARA), listed("dora", "admin", BEN, notAfter="2020-01-01T00:00:00Z"))
        router = self.start(*ADMIN, "--operators", self.operators)
        clara = bearer(CLARA)
        for number in range(100):
            ask(router, f"/v1/apps/{'x' * 200}{number}/pause", "POST", headers=clara)
        ask(router, "/v1/links?x=1", "POST", headers=clara)
        ask(router, "/v1/links", "POST", headers=clara | {"Origin": "https://evil.example"})
        ask(router, "/v1/links", "POST", headers=bearer(BEN))
        self.assertEqual(self.audit(router, "begun", "done", "refused", "counted"), [])
        self.assertEqual(router.stop(), 0)
        lines = self.audit(router, "begun", "done", "refused", "counted")
        self.assertEqual({line["operator"]: sorted((one["problem"], one["count"]) for one in line["refused"])
                          for line in lines},
                         {"clara": [("origin-foreign", 1), ("parameter-invalid", 1), ("role-insufficient", 100)],
                          "dora": [("token-expired", 1)]})
        self.verify(router)

    def test_a_signal_has_lines_with_what_it_has_changed(self):
        self.list(listed("anna", "admin", ANNA))
        router = self.start(*ADMIN, "--operators", self.operators)
        self.list(listed("anna", "admin", ANNA), listed("ben", "viewer", BEN))
        router.signal(signal.SIGHUP)
        router.wait_log("operators read again")
        wait_until(lambda: len(self.audit(router)) == 2, "two lines")
        apps, operators = sorted(self.audit(router), key=lambda line: line["command"])
        self.assertEqual((apps["operator"], apps["command"], operators["command"]),
                         ("(signal)", "SIGHUP app-file", "SIGHUP operators"))
        self.assertEqual(operators["before"]["operators"], [])
        self.assertRegex(operators["after"]["operators"][0], "^ben viewer sha256:[0-9a-f]{16}$")
        self.operators.write_text("{")
        router.signal(signal.SIGHUP)
        wait_until(lambda: len(self.audit(router, "refused")) == 1, "a refusal")

    def test_a_key_that_is_swapped_under_its_name_is_seen(self):
        router = self.start(*ADMIN)
        for token in ("a-first-token", "a-second-token"):
            changed = json.loads(json.dumps(APPS))
            changed["apps"][0]["publishers"] = [{"id": "ci", "sha256": hashlib.sha256(token.encode()).hexdigest()}]
            self.assertEqual(ask(router, "/v1/app-file", "PUT", json.dumps(changed)).status, 200)
        swap = self.audit(router)[1]
        (before,), (after,) = swap["before"]["credentials"], swap["after"]["credentials"]
        self.assertEqual(before.split()[:3], after.split()[:3])
        self.assertNotEqual(before, after)
        self.assertNotEqual(swap["before"]["secrets"], swap["after"]["secrets"])

    def test_a_line_that_was_changed_is_found(self):
        router = self.start(*ADMIN)
        for action in ("pause", "resume") * 2:
            ask(router, f"/v1/apps/{APP}/{action}", "POST")
        path = pathlib.Path(f"{router.store}.audit.jsonl")
        whole = path.read_text()
        self.assertIn("ok (8 lines)", self.verify(router))
        lines = whole.splitlines(True)
        path.write_text("".join(lines[:2] + [lines[2].replace("resume", "pause_")] + lines[3:]))
        self.assertIn(f"{path}, line 3: it was changed", self.verify(router, 1))
        path.write_text("".join(lines[:2] + lines[3:]))
        self.assertIn(f"{path}, line 3: lines before it are missing", self.verify(router, 1))
        path.write_text(whole)
        self.verify(router)

    def test_lines_that_were_cut_off_at_the_end_are_found_also_after_a_restart(self):
        router = self.start(*ADMIN)
        for action in ("pause", "resume"):
            ask(router, f"/v1/apps/{APP}/{action}", "POST")
        path = pathlib.Path(f"{router.store}.audit.jsonl")
        whole = path.read_text()
        code = json.loads(whole.splitlines()[-1])["code"]
        self.assertIn(f"with line 4, whose code is {code}", self.verify(router))
        router.kill()
        path.write_text("".join(whole.splitlines(True)[:2]))
        self.assertIn("its last lines are missing: the last one was line 4", self.verify(router, 1))
        router.restart()
        ask(router, f"/v1/apps/{APP}/pause", "POST")
        router.wait_log("the last lines of the audit log are missing: it was cut off")
        self.assertIn(f"{path}, line 3: lines before it are missing", self.verify(router, 1))
        said = command("audit", "verify", path, "--expect", code)
        self.assertIn(f"no line has the code {code}", said.stderr)

    def test_a_slash_after_the_stores_name_changes_nothing(self):
        store = self.folder / "a-store"
        router = self.start(*ADMIN, store=f"{store}/")
        ask(router, f"/v1/apps/{APP}/pause", "POST")
        self.assertTrue((self.folder / "a-store.audit.jsonl").exists())
        self.assertEqual(router.stop(), 0)
        self.tool("check", store)

    def test_a_place_that_cannot_be_written_is_an_error_at_the_start(self):
        said = command("serve", *ADMIN, "--listen", "127.0.0.1:0", "--apps", self.start().apps, "--store",
                       "none", "--audit-log", "/none/audit.jsonl")
        self.assertEqual(said.returncode, 1)
        self.assertIn("the audit log /none/audit.jsonl.key: No such file or directory", said.stderr)


class Links(OperatorCase):
    def setUp(self):
        super().setUp()
        self.router = self.start(*ADMIN)
        self.browser = Browser()
        self.addCleanup(self.browser.close)

    def printed_link(self):
        """What a router prints at a terminal, with the router in place of this case's."""
        terminal, other = os.openpty()
        self.addCleanup(os.close, terminal)
        router = self.router
        router.stop()
        arguments = [binary(), "serve", *ADMIN, "--listen", "127.0.0.1:0", "--apps", str(router.apps),
                     "--store", str(router.store)]
        process = subprocess.Popen(arguments, stdout=other, stderr=subprocess.DEVNULL,
                                   env=clean_environment())
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(other)
        text = ""
        while not (found := re.search(r"dashboard (http://(\S+):(\d+)/#once=\S+)\r?\n", text)):
            text += os.read(terminal, 4_096).decode()
        self.server_address = (found[2], int(found[3]))
        return found[1]

    def shown(self, link):
        """A tab that has opened a link."""
        page = self.browser.open("about:blank")
        page.call("Page.navigate", url=link)
        self.addCleanup(page.close)
        return page

    def cookie(self, page):
        """The page's cookie, of which no script knows."""
        self.assertEqual(page.evaluate("document.cookie"), "")
        [cookie] = page.call("Network.getCookies")["cookies"]
        return cookie

    def shows(self, page):
        """The headers with which a browser proves itself."""
        cookie = self.cookie(page)
        return bearer(page.evaluate("localStorage.getItem('session')")) \
            | {"Cookie": f"{cookie['name']}={cookie['value']}"}

    LIVE = "document.querySelector('#link')?.dataset.state === 'live'"

    def start_at_a_port(self):
        """A router that has the same admin server after a restart; and the address."""
        self.router = self.start("--admin", f"127.0.0.1:{fixed_port()}")
        return "http://{}:{}/".format(*self.router.admin)

    def wait_kept(self, count):
        """Waits until so many sessions are kept for the next start."""
        sessions = pathlib.Path(f"{self.router.store}.sessions")
        wait_until(lambda: sessions.exists() and len(json.loads(sessions.read_text())["sessions"]) == count,
                   f"{count} sessions are kept")

    def logged_in(self):
        page = self.shown(command("dashboard", "--to", "{}:{}".format(*self.router.admin)).stdout.strip())
        page.wait_for(self.LIVE, "the page is live")
        return page

    def test_a_session_lasts_over_tabs_and_restarts_until_it_is_ended(self):
        url = self.start_at_a_port()
        page = self.logged_in()
        cookie = self.cookie(page)
        self.assertEqual((cookie["name"], cookie["httpOnly"], cookie["sameSite"], cookie["path"]),
                         (f"reload-router-{self.router.admin[1]}", True, "Strict", "/"))
        self.assertLess(abs(cookie["expires"] - now_ms() / 1_000 - 12 * 3_600), 60)
        # Another tab, which has no link.
        other = self.shown(url)
        other.wait_for(self.LIVE, "the other tab is live")
        self.wait_kept(1)
        self.assertEqual(stat.S_IMODE(os.stat(f"{self.router.store}.sessions").st_mode), 0o600)
        for kill in (True, False):
            self.router.restart(kill=kill)
            for tab in (page, other, self.shown(url)):
                tab.wait_for(self.LIVE, "the tab is live after a restart")
                self.assertFalse(tab.evaluate("document.getElementById('login').open"))
        shown = self.shows(page)
        self.assertEqual(ask(self.router, "/v1/operator", headers=shown).json["by"], "browser")
        page.click("#leave")
        for tab in (page, other, self.shown(url)):
            tab.wait_for("document.getElementById('login')?.open", "the token is asked for")
        self.assertEqual(ask(self.router, "/v1/operator", headers=shown).status, 401)
        self.assertIn("DELETE /v1/sessions", [line["command"] for line in self.audit(self.router)])
        self.wait_kept(0)
        self.router.restart()
        self.assertEqual(ask(self.router, "/v1/operator", headers=shown).status, 401)

    def test_a_token_that_is_typed_becomes_a_session(self):
        url = self.start_at_a_port()
        page = self.shown(url)
        page.wait_for("document.getElementById('login')?.open", "the token is asked for")
        page.evaluate(f"document.querySelector('#login [type=password]').value = {json.dumps(ADMIN_TOKEN)}")
        page.click("#login button")
        page.wait_for(self.LIVE, "the page is live")
        kept = page.evaluate("[sessionStorage.getItem('token'), localStorage.getItem('session')]")
        self.assertIsNone(kept[0], "the operator's own token is kept nowhere")
        self.assertNotIn(kept[1], (None, ADMIN_TOKEN))
        self.shown(url).wait_for(self.LIVE, "another tab is live")

    def test_neither_a_cookie_nor_a_token_alone_lets_a_browser_in(self):
        """So no page of another server can have anything done: it cannot add the token."""
        self.start_at_a_port()
        shown = self.shows(self.logged_in())
        for half in (NOBODY | {"Cookie": shown["Cookie"]}, shown | {"Cookie": None}):
            for path, method in ((f"/v1/apps/{APP}/pause", "POST"), ("/v1/status", "GET")):
                self.assertEqual(ask(self.router, path, method, headers=half).status, 401, half)
        self.assertEqual(ask(self.router, f"/v1/apps/{APP}/pause", "POST", headers=shown).status, 200)
        foreign = shown | {"Origin": "http://127.0.0.1:1"}
        refused = ask(self.router, f"/v1/apps/{APP}/pause", "POST", headers=foreign)
        self.assertEqual(refused.problem["code"], "origin-foreign")

    def test_a_file_of_sessions_that_others_could_change_is_not_read(self):
        self.start_at_a_port()
        shown = self.shows(self.logged_in())
        sessions = pathlib.Path(f"{self.router.store}.sessions")
        self.wait_kept(1)
        for spoil in (lambda: sessions.chmod(0o666), lambda: sessions.write_text("{")):
            kept = sessions.read_bytes()
            spoil()
            self.router.restart()
            self.assertEqual(ask(self.router, "/v1/operator", headers=shown).status, 401)
            self.assertIn("browsers have to show a token again", self.router.log)
            sessions.write_bytes(kept)
            sessions.chmod(0o600)
        self.router.restart()
        self.assertEqual(ask(self.router, "/v1/operator", headers=shown).status, 200)

    def test_a_sign_out_ends_the_session_though_its_file_cannot_be_written(self):
        """At once, in all tabs; what was kept is removed, so that it does not come back with a restart."""
        url = self.start_at_a_port()
        page, other = self.logged_in(), self.shown(url)
        other.wait_for(self.LIVE, "the other tab is live")
        shown = self.shows(page)
        self.wait_kept(1)
        sessions = pathlib.Path(f"{self.router.store}.sessions")
        # The name under which the file is written first.
        obstacle = pathlib.Path(f"{sessions}.{self.router.process.pid}.new")
        obstacle.mkdir()
        page.click("#leave")
        for tab in (page, other):
            tab.wait_for("document.getElementById('login')?.open", "the token is asked for")
        self.assertEqual(ask(self.router, "/v1/operator", headers=shown).status, 401)
        self.router.wait_log("browsers will have to show a token again after a restart")
        wait_until(lambda: not sessions.exists(), "what was kept is removed")
        obstacle.rmdir()
        self.router.wait_log("the sessions of browsers are kept again")
        self.wait_kept(0)

    def test_a_sign_out_that_no_router_hears_of_is_one_for_the_browser(self):
        url = self.start_at_a_port()
        page, other = self.logged_in(), self.shown(url)
        other.wait_for(self.LIVE, "the other tab is live")
        self.router.kill()
        page.click("#leave")
        page.wait_for("document.getElementById('login-problem').innerText.includes('did not confirm')")
        for tab in (page, other):
            tab.wait_for("document.getElementById('login').open && document.querySelector('main').innerText === ''",
                         "nothing is shown")
            self.assertIsNone(tab.evaluate("localStorage.getItem('session')"))
        self.router.restart()
        page.evaluate(f"document.querySelector('#login [type=password]').value = {json.dumps(ADMIN_TOKEN)}")
        page.click("#login button")
        for tab in (page, other):
            tab.wait_for(self.LIVE + " && document.querySelector('h1')", "the page is live again")

    def test_a_refused_token_ends_no_session_of_the_browser(self):
        """A tab's own, of another operator."""
        url = self.start_at_a_port()
        page, other = self.logged_in(), self.shown(url)
        other.wait_for(self.LIVE, "the other tab is live")
        session = page.evaluate("localStorage.getItem('session')")
        other.evaluate("sessionStorage.setItem('token', 'of-somebody-who-has-left')")
        other.call("Page.reload")
        other.wait_for(self.LIVE + " && sessionStorage.getItem('token') === null",
                       "it has the browser's session in place of it")
        self.assertEqual(page.evaluate("localStorage.getItem('session')"), session)
        page.call("Page.reload")
        page.wait_for(self.LIVE, "the first tab is as it was")

    def test_a_link_on_another_site_opens_a_page_and_no_such_site_has_anything_done(self):
        """As one in a mail: the cookie does not come with the first request, and the session goes on."""
        url = self.start_at_a_port()
        page = self.logged_in()
        session = page.evaluate("localStorage.getItem('session')")
        target = f"{url}v1/apps/{APP}/pause"
        text = f"""<a id=go href="{url}#/devices">Look</a>
            <form id=form method=post action="{target}" target=frame></form><iframe name=frame></iframe>"""

        class Mail(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mail) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.addCleanup(server.shutdown)
            # Another site, as the browser sees it: another host.
            mail = self.browser.open(f"http://localhost:{server.server_address[1]}/")
            self.addCleanup(mail.close)
            mail.evaluate(f"fetch({json.dumps(target)}, {{ method: 'POST', mode: 'no-cors',"
                          " credentials: 'include' }).then(() => 0, () => 0)")
            mail.evaluate("document.getElementById('form').submit()")
            mail.wait_for("document.querySelector('iframe').contentDocument === null", "the form was sent")
            self.assertFalse(ask(self.router, f"/v1/apps/{APP}").json["isPaused"])
            mail.click("#go")
            mail.wait_for(self.LIVE + " && document.querySelector('h1').innerText === 'Devices'")
            self.assertEqual(mail.evaluate("localStorage.getItem('session')"), session)
            self.assertFalse(mail.evaluate("document.getElementById('login').open"))
        page.call("Page.reload")
        page.wait_for(self.LIVE, "the other tab is as it was")
        self.assertEqual([line["command"] for line in self.audit(self.router)],
                         ["POST /v1/links", "POST /v1/sessions"])

    def test_a_link_that_is_opened_where_the_dashboard_is_shown_is_one(self):
        self.start_at_a_port()
        page = self.logged_in()
        session = page.evaluate("localStorage.getItem('session')")
        link = command("dashboard", "--to", "{}:{}".format(*self.router.admin)).stdout.strip()
        page.evaluate(f"location.href = {json.dumps(link)}")
        page.wait_for(self.LIVE + f" && localStorage.getItem('session') !== {json.dumps(session)}",
                      "there is another session")
        self.assertNotIn("once", page.evaluate("location.href"))

    def test_the_link_that_serve_prints_opens_the_dashboard_once(self):
        self.assertNotIn("dashboard", self.router.output, "it is a file, which others may read")
        link = self.printed_link()
        page = self.shown(link)
        page.wait_for("document.querySelector('#link')?.dataset.state === 'live'", "the page is live")
        # Neither the history nor a bookmark has the code.
        self.assertEqual(page.evaluate("location.href.includes('once')"), False)
        there = types.SimpleNamespace(admin=self.server_address)
        who = ask(there, "/v1/operator", headers=self.shows(page)).json
        self.assertEqual((who["name"], who["by"]), ("(token file)", "browser"))
        # Not the link, but the session of this browser would let it in.
        page.evaluate("localStorage.clear()")
        again = self.shown(link)
        again.wait_for("document.querySelector('#login')?.open", "the token is asked for")
        self.assertEqual(self.audit(self.router)[0]["command"], "POST /v1/sessions")
        self.assertEqual(self.audit(self.router)[0]["operator"], "(token file)")

    def test_dashboard_prints_another(self):
        made = command("dashboard", "--to", "{}:{}".format(*self.router.admin))
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        page = self.shown(made.stdout.strip())
        page.wait_for("document.querySelector('#link')?.dataset.state === 'live'", "the page is live")

    def test_a_page_of_another_server_cannot_use_a_code(self):
        refused = ask(self.router, "/v1/sessions", "POST", '{"code":"x"}',
                      {"Origin": "http://evil.example"} | NOBODY)
        self.assertEqual(refused.problem["code"], "origin-foreign")
        wrong = ask(self.router, "/v1/sessions", "POST", '{"code":"x"}', NOBODY)
        self.assertEqual((wrong.status, wrong.problem["code"]), (401, "unauthorized"))


if __name__ == "__main__":
    unittest.main()
