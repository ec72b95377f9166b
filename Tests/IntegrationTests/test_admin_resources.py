"""The admin API, resource by resource, against the real router."""

import contextlib
import json
import pathlib
import signal
import tempfile
import threading
import unittest
import urllib.parse

import recordings
from admin import ask, metrics
from openapi import Document
from store_case import *

ADMIN = ("--admin", "127.0.0.1:0")
NDJSON = {"Content-Type": "application/x-ndjson"}
POTION = {"character": "elf-42", "hp": 30}
PACED = {
    "apps": [{
        "app": APP, **ACCESS,
        "origins": [{"origin": "game-api", "perSecond": 2, "undelayed": 0}],
        "kinds": [
            {"kind": DETAIL, "origin": "game-api", "budget": "unlimited",
             "match": {"character": ["${configuration.character}"]}},
            {"kind": BOARD, "observes": ["hp"], "inlines": ["hp"],
             "budget": {"like": "widget", "spacing": 600},
             "match": {"character": ["${configuration.character}"]}},
        ],
    }]
}


class AdminCase(StoreCase):
    flags = ADMIN

    def call(self, path, body=None, method=None, status=200, router=None, headers={}):
        """The JSON of an answer with this status."""
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        method = method or ("GET" if body is None else "POST")
        if body is not None and not headers:
            headers = {"Content-Type": "application/json"}
        answer = ask(router or self.router, path, method, body, headers)
        self.assertEqual(answer.status, status, answer.text)
        if status >= 400:
            return answer.problem
        self.assertEqual(answer.type.split(";")[0], "application/json")
        return json.loads(answer.text)

    def refused(self, status, code, *arguments, **options):
        problem = self.call(*arguments, status=status, **options)
        self.assertEqual(problem["code"], code, problem)
        self.assertGreater(len(problem["detail"]), 10)
        return problem

    def show(self, device="d-1", **options):
        return self.call(f"/v1/apps/{APP}/devices/{device}", **options)

    def post_pushes(self, *payloads, status=200, router=None, **parameters):
        query = urllib.parse.urlencode({"app": APP} | parameters)
        lines = "".join(json.dumps(p) + "\n" if not isinstance(p, str) else p + "\n"
                        for p in payloads)
        return self.call(f"/v1/pushes?{query}", lines, status=status, router=router,
                         headers=NDJSON)

    def set_paused(self, isPaused, app=APP, **options):
        verb = "pause" if isPaused else "resume"
        return self.call(f"/v1/apps/{app}/{verb}", method="POST", **options)


class Connections(AdminCase):
    def test_each_connection_is_listed_with_its_client(self):
        silent = self.connect()
        publisher, device = self.publisher(), self.device("d-1", ELF)
        publisher.pushed(HEALING)
        found = self.call("/v1/connections")
        self.assertIsNone(found["next"])
        by_role = {c["role"]: c for c in found["connections"]}
        self.assertEqual(set(by_role), {"awaitingHello", "publisher", "device"})
        pushing = by_role["publisher"]
        self.assertEqual((pushing["app"], pushing["name"]), (APP, "shard-7"))
        self.assertEqual((pushing["frames"], pushing["unacknowledged"]), (2, 0))
        host, port = publisher.socket.getsockname()
        self.assertEqual(pushing["peer"], f"{host}:{port}")
        self.assertEqual((pushing["isHeld"], pushing["isFull"]), (False, False))
        self.assertLess(abs(pushing["openedAt"] - now_ms()), 60_000)
        self.assertLess(abs(pushing["lastFrameAt"] - now_ms()), 60_000)
        self.assertGreater(pushing["inputBytes"], 100)
        self.assertGreater(pushing["outputBytes"], 50)
        self.assertEqual((by_role["device"]["devices"], by_role["device"]["name"]), (1, "d-1"))
        self.assertIsNone(by_role["awaitingHello"]["app"])
        self.assertEqual(len(device.reloads()), 1)
        silent.close()

    def test_pages_name_each_connection_once(self):
        for number in range(7):
            self.publisher(f"shard-{number}")
        names, after = [], None
        while True:
            query = "?limit=3" + (f"&after={after}" if after is not None else "")
            page = self.call("/v1/connections" + query)
            names += [c["name"] for c in page["connections"]]
            after = page["next"]
            if after is None:
                break
        self.assertEqual(sorted(names), [f"shard-{n}" for n in range(7)])


class RuleHints(AdminCase):
    """What kinds declare to no effect is in the status, in explanations, and in check with a recording."""
    apps = {"apps": [
        {"app": APP, **OPEN, "kinds": [
            {"kind": DETAIL, "match": {"character": ["${configuration.character}"], "o": {"caracter": ["x"]}}},
            {"kind": BOARD, "match": {"e": [{"regexp": "^x$"}]}, "observes": ["match.score"]}]},
        {"app": "com.other", **OPEN, "kinds": []}]}

    def test_hints(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        router = self.start("--record", folder / "run.capture", *ADMIN, apps=self.apps)
        publisher = self.publisher(router=router)
        self.device("d-1", ELF, router=router)
        hints = self.call("/v1/status", router=router)["hints"]
        self.assertEqual([hint.split(": ")[1] for hint in hints], ["e", 'observes has "match.score", which is read '
                         'as the name of a member at the top of a payload and not as a path'])
        for number in range(99):
            publisher.pushed({"character": f"elf-{number}", "e": "x"})
        self.assertEqual(len(self.call("/v1/status", router=router)["hints"]), 2)
        publisher.pushed({"character": "elf", "e": "x"})
        missed = (f"{APP}, kind {DETAIL}: the rule names o.caracter, which none of the last 100 pushes of "
                  "the app had")
        # A status is up to 0.1 s old.
        wait_until(lambda: missed in self.call("/v1/status", router=router)["hints"], "a hint")
        body = {"app": APP, "payload": {"character": "elf"}}
        self.assertEqual(len(self.call("/v1/explain", body, router=router)["hints"]), 3)
        self.assertEqual(self.call("/v1/explain", {**body, "kind": DETAIL}, router=router)["hints"], [missed])
        apps = router.apps
        self.assertEqual(router.stop(), 0, router.log)
        files = [part for file in sorted(folder.iterdir()) for part in ("--capture", file)]
        result = command("check", "--apps", apps, *files)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"{apps}: warning: {missed}\n", result.stderr)
        self.assertIn(": ok (100 pushes)\n", result.stdout)
        self.assertEqual(command("check", *files).returncode, 64)
        result = command("check", "--apps", apps, "--capture", apps)
        self.assertEqual(result.returncode, 1, result.stdout)


class Apps(AdminCase):
    def test_apps_are_listed_with_their_counts(self):
        device, publisher = self.device("d-1", ELF), self.publisher()
        publisher.pushed(HEALING)
        self.assertEqual(len(device.reloads()), 1)
        apps = {app["app"]: app for app in self.call("/v1/apps")["apps"]}
        self.assertEqual(set(apps), {APP, "com.other"})
        own = apps[APP]
        self.assertEqual((own["devices"], own["widgets"], own["pushes"], own["reloads"]),
                         (1, 1, 1, 1))
        self.assertEqual((own["kinds"], own["isPaused"]), (5, False))
        app = self.call(f"/v1/apps/{APP}")
        self.assertEqual(app["publishers"], 1)
        self.assertEqual(app["kinds"], APPS["apps"][0]["kinds"])
        self.refused(404, "app-unknown", "/v1/apps/com.none")

    def test_the_app_file_is_returned_without_its_tokens(self):
        text = json.dumps(self.call("/v1/app-file"))
        for token in TOKENS.values():
            self.assertNotIn(token, text)
        self.assertEqual(json.loads(text)["apps"][0]["publishers"], ACCESS["publishers"])
        self.assertEqual(json.loads(text)["apps"][0]["kinds"], APPS["apps"][0]["kinds"])

    def test_a_new_app_file_holds_at_once_and_over_a_restart_of_the_same_file(self):
        device, publisher = self.device("d-1", widget("w1", DRAGON, region="north")), self.publisher()
        push = {"event": "phoenix", "region": "north"}
        self.assertEqual(publisher.pushed(push), 0)
        apps = json.loads(json.dumps(APPS))
        apps["apps"][0]["kinds"][2]["match"]["event"] = ["phoenix"]
        found = self.call("/v1/app-file", apps, "PUT")
        self.assertEqual((found["apps"], found["kinds"]), (2, 6))
        self.assertIn("SIGHUP", found["note"])
        self.assertEqual(publisher.pushed(push), 1)
        self.assertEqual(len(device.reloads()), 1)
        kinds = self.call("/v1/app-file")["apps"][0]["kinds"]
        self.assertEqual(kinds[2]["match"]["event"], ["phoenix"])
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("app file read again")
        self.assertEqual(publisher.pushed(push), 0)

    def test_a_broken_app_file_changes_nothing(self):
        before = self.call("/v1/app-file")
        apps = json.loads(json.dumps(APPS))
        apps["apps"][1]["kinds"][0]["colour"] = "red"
        self.call("/v1/app-file", apps, "PUT", status=400)
        self.assertEqual(self.call("/v1/app-file"), before)
        self.call("/v1/app-file/validate", apps, status=400)
        found = self.call("/v1/app-file/validate", APPS)
        self.assertEqual((found["apps"], found["kinds"]), (2, 6))

    def test_what_a_hang_up_refuses_is_said_until_it_is_read(self):
        """Of each file by itself; a PUT does not correct the file, and another failure keeps the date."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        token = pathlib.Path(folder.name) / "token"
        token.write_text(TOKEN_OF_ADMIN := "a-token-of-an-admin")
        token.chmod(0o600)
        router = self.start(*ADMIN, "--admin-token-file", token)
        headers = bearer(TOKEN_OF_ADMIN)

        def files():
            return {one["file"]: one for one in ask(router, "/v1/status", headers=headers).json["files"]}

        def hang_up(said):
            count = router.log.count(said)
            router.signal(signal.SIGHUP)
            router.wait_log(said, count + 1)

        first = files()
        self.assertEqual(sorted(first), ["apps", "operators"])
        self.assertTrue(all(one["refusal"] is None for one in first.values()), first)
        good = router.apps.read_bytes()
        router.apps.write_text('{"apps":[{"app":"com.x","kinds":[{"kind":"k","match":{"id":[]}}]}]}')
        hang_up("app file refused")
        # A status may be 100 ms old.
        refused = wait_until(lambda: (one := files()["apps"])["refusal"] and one, "the refusal is said")
        self.assertIn("apps[0].kinds[0].match.id", refused["refusal"]["reason"])
        self.assertEqual(refused["readAt"], first["apps"]["readAt"])
        self.assertIsNone(files()["operators"]["refusal"])
        self.assertEqual(metrics(router, headers)['file_refused{file="apps"}'], 1)
        self.assertEqual(metrics(router, headers)['file_refused{file="operators"}'], 0)
        ready = ask(router, "/readyz", headers=headers)
        self.assertEqual(ready.status, 200)
        self.assertIn("the app file is refused since 2", ready.text)

        self.assertEqual(ask(router, "/v1/app-file", "PUT", good, headers).status, 200)
        router.apps.write_text("{")
        token.write_text("short")
        hang_up("operators refused")
        both = wait_until(lambda: (found := files())["apps"]["refusal"]["reason"].count("line 1")
                          and found["operators"]["refusal"] and found, "both files are read")
        self.assertEqual(both["apps"]["refusal"]["since"], refused["refusal"]["since"])
        self.assertIn("5 bytes", both["operators"]["refusal"]["reason"])

        router.apps.write_bytes(good)
        token.write_text(TOKEN_OF_ADMIN)
        hang_up("operators read again")
        wait_until(lambda: not any(one["refusal"] for one in files().values()), "both files are read")
        for name, one in files().items():
            self.assertIsNone(one["refusal"], name)
            self.assertGreater(one["readAt"], first[name]["readAt"])
        self.assertNotIn("refused", ask(router, "/readyz", headers=headers).text)

    def test_a_kind_that_is_removed_is_missed_by_its_widgets(self):
        """In the answer, the log, the status and the metric, until it comes back: its widgets match again."""
        publisher = self.publisher()
        device = self.device("d-1", ELF, widget("w9", BOARD, board="b"))
        apps = json.loads(json.dumps(APPS))
        removed = next(kind for kind in apps["apps"][0]["kinds"] if kind["kind"] == DETAIL)
        apps["apps"][0]["kinds"].remove(removed)
        self.assertEqual(self.call("/v1/app-file", apps, "PUT")["undeclaredWidgets"], 1)
        self.router.wait_log("kinds that the app file no longer declares")
        self.assertIn(f"{DETAIL} of {APP}: 1", self.router.log)
        wait_until(lambda: metrics(self.router)["undeclared_widgets"] == 1, "the metric")
        self.assertEqual(self.call("/v1/status")["stored"]["undeclaredWidgets"], 1)
        self.assertEqual(publisher.pushed(HEALING), 0)
        found = self.call("/v1/app-file", APPS, "PUT")
        self.assertEqual(found["undeclaredWidgets"], 0)
        wait_until(lambda: metrics(self.router)["undeclared_widgets"] == 0, "the metric")
        self.assertEqual(publisher.pushed(HEALING), 1)
        device.reloads()

    def test_what_can_have_no_effect_is_accepted_with_a_warning(self):
        apps = json.loads(json.dumps(APPS))
        apps["apps"][0]["kinds"].append({"kind": "n", "observes": ["match/score"],
                                         "match": {"e": [{"regexp": "^goal$"}]}})
        for warnings in (self.call("/v1/app-file/validate", apps)["warnings"],
                         self.call("/v1/app-file", apps, "PUT")["warnings"]):
            self.assertIn("no anchors", warnings[-2])
            self.assertIn('observes has "match/score"', warnings[-1])
        self.router.wait_log("can hardly have the effect that is meant", 2)

    def test_sessions_of_an_app_that_is_gone_end(self):
        publisher = self.publisher()
        self.call("/v1/app-file", {"apps": APPS["apps"][1:]}, "PUT")
        self.assert_ends(publisher, "app-unknown")
        self.refused(404, "app-unknown", f"/v1/apps/{APP}")


class Pauses(AdminCase):
    def test_pushes_wait_while_the_app_is_paused_and_none_is_lost(self):
        device, publisher = self.device("d-1", ELF), self.publisher()
        self.assertEqual(self.set_paused(True), {"app": APP, "isPaused": True})
        self.assertTrue(self.call(f"/v1/apps/{APP}")["isPaused"])
        last = [publisher.push(HEALING) for _ in range(50)][-1]
        # Another one's push has passed by them, and of theirs nothing was taken but the HELLO.
        other = self.connect()
        other.hello("publisher", app="com.other", producer="p")
        other.expect(WELCOME)
        self.assertEqual(other.pushed({"a": 1}), 0)
        connections = self.call("/v1/connections")["connections"]
        waiting, = [one for one in connections if one["name"] == "shard-7"]
        self.assertEqual((waiting["frames"], waiting["isHeld"]), (1, True))
        self.assertEqual(device.reloads(), [])
        self.assertEqual(self.set_paused(False), {"app": APP, "isPaused": False})
        self.assertEqual(publisher.wait_acked(last), 50)
        self.assertGreaterEqual(len(device.reloads()), 1)

    def test_reloads_wait_too_and_other_apps_are_served(self):
        device = self.device("d-1", ELF)
        other = self.connect()
        other.hello("publisher", app="com.other", producer="p")
        other.expect(WELCOME)
        self.set_paused(True)
        device.request(REQUEST, {"device": "d-1"})
        self.assertEqual(device.reloads(), [])
        self.assertEqual(other.pushed({"a": 1}), 0)
        self.set_paused(False)
        self.assertEqual(device.expect(RELOAD).json["cause"], "request")

    def test_a_push_over_http_is_refused(self):
        self.set_paused(True)
        self.refused(409, "app-paused", f"/v1/pushes?app={APP}", HEALING)
        self.set_paused(True)
        self.set_paused(False)
        self.assertEqual(self.post_pushes(HEALING)["accepted"], 1)
        self.refused(404, "app-unknown", "/v1/apps/com.none/pause", method="POST")

    def test_a_publisher_does_not_time_out_meanwhile(self):
        router = self.start(*ADMIN, "--ping-interval", "0.2")
        # A publisher that gets no core for long enough is ended before the pause, and comes again.
        publisher = wait_until(lambda: self.paused_publisher(router), "a publisher of a paused app")
        seq = publisher.push(HEALING)
        publisher.answers_pings = False
        pings = [publisher.expect(PING) for _ in range(6)]
        self.assertEqual(len(pings), 6)
        self.set_paused(False, router=router)
        publisher.answers_pings = True
        publisher.wait_acked(seq)

    def paused_publisher(self, router):
        """A publisher whose app is paused then; None if the router has ended its session before that."""
        with contextlib.suppress(Ended, OSError):
            self.set_paused(False, router=router)
            publisher = self.publisher(router=router)
            self.set_paused(True, router=router)
            return publisher if self.has_session(router) else None

    def has_session(self, router):
        return any(one["role"] == "publisher" for one in self.call("/v1/connections", router=router)["connections"])

    def test_nothing_is_paused_after_a_restart(self):
        self.set_paused(True)
        self.router.restart()
        # First: a request before the loop runs is answered that the router is loading.
        self.publisher().pushed(HEALING)
        self.assertFalse(self.call(f"/v1/apps/{APP}")["isPaused"])

    def test_a_drain_does_not_wait_for_a_paused_app(self):
        publisher = self.publisher()
        self.set_paused(True)
        publisher.push(HEALING)
        self.assertEqual(self.router.stop(), 0)


class Devices(AdminCase):
    def test_devices_are_listed_page_by_page(self):
        gateway = self.gateway()
        for number in range(25):
            gateway.register(ELF, device=f"d-{number}")
        names, after = [], None
        while True:
            query = "?limit=10" + (f"&after={after}" if after else "")
            page = self.call(f"/v1/apps/{APP}/devices{query}")
            names += [d["device"] for d in page["devices"]]
            self.assertTrue(all(d["isOnline"] and d["widgets"] == 1 for d in page["devices"]))
            after = page["next"]
            if after is None:
                break
        self.assertEqual(sorted(names), sorted(f"d-{n}" for n in range(25)))
        self.assertEqual(len(names), len(set(names)))
        self.refused(404, "app-unknown", "/v1/apps/com.none/devices")
        self.refused(404, "device-unknown", f"/v1/apps/{APP}/devices?after=nobody")

    def test_a_name_may_have_any_character(self):
        name = "Ä/ö 1?&#%"
        self.gateway().register(ELF, device=name)
        self.assertEqual(self.show(urllib.parse.quote(name, safe=""))["device"], name)
        self.refused(404, "device-unknown", f"/v1/apps/{APP}/devices/nobody")

    def test_a_device_is_removed_with_all_that_it_owns_and_stays_so_after_a_kill(self):
        document = Document()
        operation = document.operation("forgetDevice")[2]
        path = f"/v1/apps/{APP}/devices/d-1"
        gateway = self.gateway()
        gateway.register(ELF, device="d-1")
        gateway.register(ELF, device="d-2")
        self.assertLess(abs(self.show()["heardAt"] - now_ms()), 60_000)
        gone = ask(self.router, path, "DELETE")
        document.check(operation, gone)
        self.assertEqual(gone.json, {"app": APP, "device": "d-1", "isForgotten": True})
        self.assertEqual(gateway.expect(DETACHED).json, {"device": "d-1", "reason": "removed"})
        again = ask(self.router, path, "DELETE")
        document.check(operation, again)
        self.assertEqual((again.status, again.problem["code"]), (404, "device-unknown"))
        self.assertEqual(self.publisher().pushed(HEALING), 1)
        self.router.restart()
        self.refused(404, "device-unknown", path)
        self.assertEqual(self.show("d-2")["device"], "d-2")
        self.assertEqual(self.publisher("p-2").pushed(HEALING), 1)

    def test_the_command_removes_a_device(self):
        self.gateway().register(ELF, device="Ä/ö 1")
        server = "http://%s:%d" % self.router.admin
        said = command("devices", "remove", APP, "Ä/ö 1", "--to", server)
        self.assertEqual((said.returncode, said.stdout), (0, f"{APP} Ä/ö 1 is removed\n"))
        for app, device, text in ((APP, "Ä/ö 1", "no widgets are stored for Ä/ö 1"), ("com.none", "d", "app")):
            said = command("devices", "remove", app, device, "--to", server)
            self.assertEqual((said.returncode, said.stdout), (1, ""))
            self.assertIn(text, said.stderr)
        self.assertEqual(command("devices", "remove", APP, "d", "--to", "http://127.0.0.1:1").returncode, 2)

    def test_a_device_of_which_nothing_is_heard_is_removed(self):
        router = self.start(*ADMIN, "--device-idle", 1)
        gateway = self.gateway(router=router)
        gateway.register(ELF, device="d-1")
        own = self.device("d-2", ELF, router=router)
        wait_until(lambda: metrics(router)["devices_forgotten_total"] == 1, "the device is removed")
        self.assertEqual(gateway.expect(DETACHED).json, {"device": "d-1", "reason": "removed"})
        self.assertEqual(metrics(router)["stored_devices"], 1, "its session is open")
        own.close()
        wait_until(lambda: metrics(router)["stored_devices"] == 0, "the other one is removed")

    def test_a_device_is_shown_with_all_that_its_widgets_wait_for(self):
        router = self.start(*ADMIN, apps=PACED)
        device = self.device("d-1", ELF, widget("w2", BOARD, character="elf-42"), router=router)
        publisher = self.publisher(router=router)
        self.assertEqual(publisher.pushed(POTION), 2)
        while {"w1", "w2"} - {w for r in device.kept if r.type == RELOAD for w in r.json["widgets"]}:
            device.kept.append(device.expect(RELOAD))
        date = now_ms() + 3_600_000
        device.request(TIMELINE, {"device": "d-1", "widget": "w1", "entries": [date],
                                  "policy": {"after": date}})
        device.request(STATE, {"device": "d-1", "foreground": False, "media": None})
        publisher.pushed({"character": "elf-42", "hp": 31})
        found = self.show(router=router)
        self.assertEqual((found["app"], found["device"], found["isOnline"]), (APP, "d-1", True))
        self.assertEqual(found["session"], {"foreground": False, "media": None})
        slots = [c["slot"] for c in self.call("/v1/connections", router=router)["connections"]
                 if c["role"] == "device"]
        self.assertEqual([found["connection"]], slots)
        widgets = {w["widget"]: w for w in found["widgets"]}
        detail, board = widgets["w1"], widgets["w2"]
        self.assertEqual(detail["configuration"], {"character": "elf-42"})
        self.assertGreaterEqual(detail["date"]["at"], date)
        self.assertEqual(detail["date"]["slot"], detail["date"]["at"] // 1000 * 1000)
        self.assertIsNone(detail["budget"])
        self.assertIsNone(detail["shown"])
        self.assertEqual((board["stage"], board["cause"]), ("deferred", "push"))
        self.assertEqual(board["shown"], {"hp": 31})
        self.assertEqual(board["budget"]["used"], 1)
        self.assertGreater(board["budget"]["allowance"], 20)
        self.assertLess(abs(board["waitsUntil"] - board["lastReloadAt"] - 600_000), 2_000)
        self.assertFalse(board["isAnswered"])
        self.assertGreater(board["lastReload"], 0)
        reasons = [(d["widget"], d["reason"]) for d in found["decisions"]]
        self.assertIn(("w2", "spacing"), reasons)
        self.assertIn(("w1", "scheduled"), reasons)
        for decision in found["decisions"]:
            self.assertGreater(len(decision["text"]), 5)
            self.assertLess(abs(decision["at"] - now_ms()), 60_000)
        device.close()
        wait_until(lambda: not self.show(router=router)["isOnline"], "the device is gone")
        self.assertFalse(self.show(router=router)["isPaused"])
        self.set_paused(True, router=router)
        self.assertTrue(self.show(router=router)["isPaused"])
        self.assertIsNone(self.show(router=router)["connection"])


class Explains(AdminCase):
    def explain(self, payload, router=None, **members):
        return self.call("/v1/explain", {"app": APP, "payload": payload} | members, router=router)

    def test_a_push_is_explained_and_not_made(self):
        device = self.device("d-1", ELF, widget("w2", character="orc-1"))
        found = self.explain(POTION)
        self.assertEqual(found["concerned"], 1)
        reported = found["widgets"][0]
        self.assertEqual((reported["device"], reported["widget"], reported["outcome"]), ("d-1", "w1", "sent"))
        self.assertLess(abs(reported["reloadsAt"] - now_ms()), 10_000)
        test = reported["tests"][0]
        self.assertEqual((test["field"], test["value"], test["isHeld"]),
                         ("character", '"elf-42"', True))
        self.assertEqual([n["widget"] for n in found["near"]], ["w2"])
        self.assertEqual(device.reloads(), [])
        self.assertEqual(self.call(f"/v1/apps/{APP}")["pushes"], 0)
        self.assertEqual(self.publisher().pushed(POTION), 1)

    def test_the_nearest_are_five_or_as_many_as_were_asked_for(self):
        """Of a push that matches nothing; one, if no rule is about a field that it has."""
        self.device("d-1", *(widget(f"w{n}", character=f"orc-{n}") for n in range(8)))
        found = self.explain({"character": "elf-1"})["near"]
        self.assertEqual([one["widget"] for one in found], ["w0", "w1", "w2", "w3", "w4"])
        self.assertIn('character: the push has "elf-1", the rule wants ', found[0]["text"])
        self.assertEqual(len(self.explain({"character": "elf-1"}, near=7)["near"]), 7)
        self.assertEqual(len(self.explain({"character": "elf-1"}, near=1_000)["near"]), 8)
        self.assertEqual(len(self.explain({"weather": "rain"})["near"]), 1)
        self.refused(400, "body-invalid", "/v1/explain", {"app": APP, "payload": {}, "near": 0})

    def test_why_a_widget_would_wait(self):
        router = self.start(*ADMIN, apps=PACED)
        device = self.device("d-1", widget("w2", BOARD, character="elf-42"), router=router)
        publisher = self.publisher(router=router)
        publisher.pushed(POTION)
        device.expect(RELOAD)
        found = self.explain(POTION, router)["widgets"]
        self.assertEqual([w["outcome"] for w in found], ["unchanged"])
        found = self.explain(POTION | {"hp": 1}, router)["widgets"]
        self.assertEqual([w["outcome"] for w in found], ["deferred"])
        self.assertIn("apart", found[0]["text"])
        self.assertGreater(found[0]["reloadsAt"], now_ms() + 500_000)

    def test_one_device_alone(self):
        self.device("d-1", ELF, widget("w2", character="orc-1"))
        self.device("d-2", ELF)
        found = self.explain(POTION, device="d-1")
        self.assertEqual([w["device"] for w in found["widgets"]], ["d-1"])
        self.assertEqual([w["widget"] for w in found["near"]], ["w2"])
        self.refused(404, "device-unknown", "/v1/explain",
                     {"app": APP, "payload": {}, "device": "nobody"})
        self.refused(404, "kind-unknown", "/v1/explain",
                     {"app": APP, "payload": {}, "kind": "nothing"})
        self.refused(404, "app-unknown", "/v1/explain", {"app": "com.none", "payload": {}})
        self.refused(400, "body-invalid", "/v1/explain", {"app": APP, "payload": {}, "kinds": 1})
        narrowed = self.explain(POTION, kinds=["com.mygame.no-such"])
        self.assertEqual((narrowed["widgets"], len(narrowed["near"])), ([], 2))

    def test_the_command_asks_a_router(self):
        self.device("d-1", ELF, widget("w2", character="orc-1"))
        host, port = self.router.admin
        server = f"http://{host}:{port}"
        arguments = ("explain", "--to", server, "--app", APP, "--push", json.dumps(POTION))
        found = command(*arguments)
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIn("d-1/w1 [sent]", found.stdout)
        self.assertIn("1 matched", found.stdout)
        found = command(*arguments, "--json")
        self.assertEqual(json.loads(found.stdout)["widget"], "w1")
        found = command(*arguments, "--device", "d-1")
        self.assertIn("fails  character", found.stdout)
        found = command("explain", "--to", server, "--app", "com.none", "--push", "{}")
        self.assertEqual((found.returncode, "com.none" in found.stderr), (1, True), found.stderr)
        found = command("explain", "--to", "http://127.0.0.1:1", "--app", APP, "--push", "{}")
        self.assertEqual(found.returncode, 2, found.stderr)
        self.assertEqual(command("explain", "--push", "{}").returncode, 64)

    def test_the_command_explains_one_widget(self):
        self.device("d-1", ELF, widget("w2", character="orc-1"), widget("w3", character="elf-42"))
        arguments = ("explain", "--to", "http://{}:{}/".format(*self.router.admin),
                     "--app", APP, "--push", json.dumps(POTION), "--device", "d-1", "--limit", "1")
        for name, outcome, count in (("w1", "[sent]", 1), ("w2", "fails", 0), ("w3", "[sent]", 1)):
            found = command(*arguments, "--widget", name)
            self.assertEqual(found.returncode, 0, found.stderr)
            self.assertIn(outcome, found.stdout)
            self.assertIn(f"{count} matched, {count} reported", found.stdout)
            for other in {"w1", "w2", "w3"} - {name}:
                self.assertNotIn(other, found.stdout)
            found = command(*arguments, "--widget", name, "--json")
            self.assertEqual(json.loads(found.stdout)["widget"], name)
        found = command(*arguments, "--widget", "w4")
        self.assertEqual((found.returncode, found.stdout, "w4" in found.stderr), (1, "", True))

    def test_the_command_refuses_what_a_server_does_not_accept(self):
        arguments = ("explain", "--to", "http://{}:{}".format(*self.router.admin),
                     "--app", APP, "--push", "{}")
        for more in (("--every", "5"), ("--now", "0"), ("--push", "{}"), ("--limit", "1001"),
                     ("--to", "local host"), ("--widget", "w1")):
            found = command(*arguments, *more)
            self.assertEqual(found.returncode, 64, more)
            self.assertIn(more[0], found.stderr)
        self.assertEqual(command(*arguments, "--limit", "1000").returncode, 0)

    def test_the_command_accepts_the_file_that_the_server_accepts(self):
        token = pathlib.Path(self.router.folder.name) / "token"
        token.write_text("a-token-of-visible-ascii \r\nsecond line\n")
        token.chmod(0o600)
        router = self.start("--admin", "127.0.0.1:0", "--admin-token-file", token)
        arguments = ("explain", "--to", "http://{}:{}".format(*router.admin), "--app", APP,
                     "--push", "{}", "--token-file", token)
        found = command(*arguments)
        self.assertEqual(found.returncode, 0, found.stderr)
        for text in ("", "another-token-than-it-is", "tökén-of-visible-letters"):
            token.write_text(text)
            found = command(*arguments)
            self.assertEqual((found.returncode, found.stdout), (1, ""))
            self.assertIn("token", found.stderr.lower())


class Slots(AdminCase):
    def take(self, count, date, router, kind=DETAIL, **options):
        dates = [{"id": f"x-{n}", "after": date} for n in range(count)]
        return self.call("/v1/slots", {"app": APP, "kind": kind, "dates": dates}, router=router,
                         **options)

    def test_dates_are_spread_with_those_of_devices(self):
        router = self.start(*ADMIN, apps=PACED)
        date = now_ms() + 60_000
        slots = self.take(100, date, router)["slots"]
        self.assertEqual([s["id"] for s in slots], [f"x-{n}" for n in range(100)])
        for slot in slots:
            self.assertEqual(slot["after"] + slot["slotDelay"], slot["reloadAt"])
            self.assertTrue(0 <= slot["slotDelay"] <= 601_000, slot)
        seconds = [s["reloadAt"] // 1000 for s in slots]
        self.assertLessEqual(max(seconds.count(s) for s in seconds), 2)
        origin = next(o for o in self.call("/v1/origins", router=router)["origins"]
                      if o["origin"] == "game-api")
        self.assertEqual((origin["app"], origin["perSecond"]), (APP, 2))
        self.assertEqual((len(origin["asked"]), len(origin["given"])), (120, 120))
        self.assertEqual(max(origin["asked"]), 100)
        self.assertLessEqual(max(origin["given"]), 2)

    def test_they_survive_a_kill(self):
        router = self.start(*ADMIN, apps=PACED)
        date = now_ms() + 3_600_000
        first = [s["reloadAt"] // 1000 for s in self.take(100, date, router)["slots"]]
        router.restart(kill=True)
        second = [s["reloadAt"] // 1000 for s in self.take(100, date, router)["slots"]]
        both = first + second
        self.assertLessEqual(max(both.count(s) for s in both), 2)
        router.stop()
        self.tool("check", router)


class Pushes(AdminCase):
    def test_a_push_over_http_reloads_what_it_concerns(self):
        device = self.device("d-1", ELF)
        found = self.call(f"/v1/pushes?app={APP}", HEALING)
        self.assertEqual(found, {
            "accepted": 1, "matched": 1, "lastSeq": 1, "rejected": [],
            "outcome": {"missed": 0, "duplicates": 0, "counts": {"sent": 1}, "widgets": [
                {"device": "d-1", "widget": ELF["id"], "kind": ELF["kind"], "outcome": "sent"}]}})
        self.assertEqual(device.expect(RELOAD).json["cause"], "push")
        self.assertEqual(self.call(f"/v1/pushes?app={APP}", HEALING)["lastSeq"], 2)

    def test_a_header_narrows_the_pushes_to_kinds(self):
        self.device("d-1", ELF, widget("w2", PARTY, member="elf-42"))
        for kinds, matched in ((PARTY, 1), (f"{DETAIL}, {PARTY}", 2), ("com.none", 0)):
            found = self.call(f"/v1/pushes?app={APP}", HEALING, headers={
                "Content-Type": "application/json", "Reload-Kinds": kinds})
            self.assertEqual((found["accepted"], found["matched"]), (1, matched))
        self.refused(400, "header-invalid", f"/v1/pushes?app={APP}", HEALING, headers={
            "Content-Type": "application/json", "Reload-Kinds": f"{PARTY}," + "k" * 129})

    def test_lines_that_are_refused_are_named_by_their_numbers(self):
        self.device("d-1", ELF)
        long = {"character": "elf-42", "text": "x" * 70_000}
        found = self.post_pushes(HEALING, "[1]", HEALING, "{", long, HEALING, '{"a":1,"a":1}')
        self.assertEqual((found["accepted"], found["matched"]), (3, 3))
        self.assertEqual([(r["line"], r["code"]) for r in found["rejected"]], [
            (2, "payload-not-object"), (4, "payload-not-json"), (5, "frame-length"),
            (7, "payload-duplicate-key")])
        found = self.post_pushes("{", "[]", status=422)
        self.assertEqual([(r["line"], r["code"]) for r in found["rejected"]],
                         [(1, "payload-not-json"), (2, "payload-not-object")])
        self.assertEqual(self.post_pushes(HEALING)["accepted"], 1)

    def test_many_lines_in_portions(self):
        self.gateway().register(*[widget(f"w{n}", character="elf-42") for n in range(40)],
                                device="d-1")
        found = self.post_pushes(*[HEALING] * 10_000)
        self.assertEqual((found["accepted"], found["matched"]), (10_000, 400_000))

    def test_many_requests_at_once_stay_in_the_window(self):
        """Those of a producer wait for each other; none is refused because of another one."""
        router, answers = self.start(*ADMIN, "--window", 50), []

        def push(count, times):
            for _ in range(times):
                answers.append(self.post_pushes(*[HEALING] * count, router=router)["accepted"])

        threads = [threading.Thread(target=push, args=(5_000, 2))] + \
            [threading.Thread(target=push, args=(1, 10)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(answers), [1] * 60 + [5_000] * 2)
        self.assertEqual(self.post_pushes(HEALING, router=router)["lastSeq"], 10_061)

    def test_the_last_number_stays_when_all_lines_are_refused(self):
        self.assertEqual(self.post_pushes(HEALING, HEALING)["lastSeq"], 2)
        found = self.post_pushes("{", "[", status=422)
        self.assertEqual((found["lastSeq"], len(found["rejected"])), (2, 2))
        self.assertEqual(self.post_pushes(HEALING)["lastSeq"], 3)

    def test_the_routers_own_producer_is_for_no_other_publisher(self):
        """Its name, as any in parentheses, is refused over TCP and HTTP."""
        stranger = self.connect()
        stranger.hello("publisher", producer="(http)")
        self.assert_ends(stranger, "identifier-invalid")
        refused = self.post_pushes(HEALING, producer="(x)", seq=1, status=400)
        self.assertEqual(refused["code"], "identifier-invalid")
        self.assertEqual(self.post_pushes(HEALING)["lastSeq"], 1)

    def test_sending_again_is_safe_with_a_producer(self):
        device = self.device("d-1", ELF)
        found = self.post_pushes(HEALING, HEALING, producer="lambda", seq=5)
        self.assertEqual((found["accepted"], found["matched"], found["lastSeq"]), (2, 2, 6))
        self.assertEqual(found["outcome"]["duplicates"], 0)
        device.expect(RELOAD)
        found = self.post_pushes(HEALING, HEALING, producer="lambda", seq=5)
        self.assertEqual((found["accepted"], found["matched"], found["lastSeq"]), (2, 0, 6))
        self.assertEqual(found["outcome"]["duplicates"], 2)
        self.assertEqual(device.reloads(), [])
        # A publisher of that name has numbers of its own.
        self.assertEqual(self.publisher("lambda").welcome["lastSeq"], 0)

    def test_a_refused_line_may_be_sent_again_put_right(self):
        self.device("d-1", ELF)
        found = self.post_pushes("{", producer="lambda", seq=1, status=422)
        self.assertEqual(found["code"], "payload-not-json")
        found = self.post_pushes(HEALING, producer="lambda", seq=1)
        self.assertEqual((found["accepted"], found["matched"], found["rejected"]), (1, 1, []))

    def test_no_session_and_no_number_of_a_publisher_ends_by_an_operators_push(self):
        publisher = self.publisher("lambda")
        self.post_pushes(HEALING, producer="lambda", seq=4_000_000_000)
        self.assertEqual(publisher.pushed(HEALING), 0)
        self.assertEqual({entry["producer"]: entry["lastSeq"] for entry in self.call("/v1/producers")["producers"]},
                         {"lambda": 1, "(operator:lambda)": 4_000_000_000})
        for name in ("(operator:lambda)", "(operator)"):
            stranger = self.connect()
            stranger.hello("publisher", producer=name)
            self.assert_ends(stranger, "identifier-invalid")

    def test_urgent_and_expired_pushes(self):
        device = self.device("d-1", ELF)
        self.assertEqual(self.post_pushes(HEALING, voidAt=now_ms() - 1)["matched"], 0)
        self.assertEqual(device.reloads(), [])
        self.assertEqual(self.post_pushes(HEALING, urgent="true", voidAt=now_ms() + 60_000)["matched"], 1)
        device.expect(RELOAD)

    def test_what_was_answered_survives_a_kill(self):
        for number in range(1, 31):
            self.post_pushes(HEALING, producer="lambda", seq=number)
        self.router.kill()
        self.router._start()
        self.router.wait_listening()
        found = self.call("/v1/producers")["producers"]
        self.assertEqual([(entry["producer"], entry["lastSeq"]) for entry in found],
                         [("(operator:lambda)", 30)])

    def test_many_at_once_are_each_answered(self):
        self.device("d-1", ELF)
        answers = []

        def push():
            for _ in range(20):
                answers.append(self.call(f"/v1/pushes?app={APP}", HEALING)["matched"])

        threads = [threading.Thread(target=push) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [1] * 160)
        self.assertEqual(self.post_pushes(HEALING)["lastSeq"], 161)

    def test_pushes_are_recorded_like_any_others(self):
        with tempfile.TemporaryDirectory() as folder:
            capture = pathlib.Path(folder) / "c"
            router = self.start(*ADMIN, "--record", capture)
            self.post_pushes(HEALING, {"b": 2}, router=router)
            router.stop()
            kinds = [r.kind for file in recordings.read(folder) for r in file.records]
            self.assertEqual(kinds.count("push"), 2, kinds)


class Operations(AdminCase):
    def test_the_log_level_changes_while_it_runs(self):
        self.assertEqual(self.call("/v1/log-level"), {"level": "info"})
        self.connect().close()
        self.assertEqual(self.call("/v1/log-level", {"level": "error"}, "PUT"), {"level": "error"})
        client = self.connect()
        client.send_raw(b"\0" * 100)
        self.assert_ends(client, "frame-length")
        self.assertNotIn("frame-length", self.router.log)
        self.call("/v1/log-level", {"level": "info"}, "PUT")
        client = self.connect()
        client.send_raw(b"\0" * 100)
        self.assert_ends(client, "frame-length")
        self.router.wait_log("frame-length")
        self.call("/v1/log-level", {"level": "loud"}, "PUT", status=400)
        # Other parts of the program have copies of the logger: the admin server logs GET at debug.
        self.assertNotIn('"method":"GET"', self.router.log)
        self.call("/v1/log-level", {"level": "debug"}, "PUT")
        self.call("/v1/log-level")
        self.router.wait_log('"method":"GET"')
        self.call("/v1/log-level", {"level": "info"}, "PUT")

    def test_a_backup_has_all_that_was_acknowledged(self):
        with tempfile.TemporaryDirectory() as folder:
            router = self.start(*ADMIN, "--backup-folder", folder)
            publisher = self.publisher(router=router)
            self.gateway(router=router).register(ELF, device="d-1")
            self.pushes(publisher, 20)
            copy = f"{folder}/copy"
            found = self.call("/v1/backup", {"name": "copy"}, router=router)
            self.assertEqual(found["folder"], copy)
            self.assertGreater(found["bytes"], 1_000)
            self.assertGreaterEqual(found["milliseconds"], 0)
            self.pushes(publisher, 5)
            self.refused(409, "conflict", "/v1/backup", {"name": "copy"}, router=router)
            self.tool("check", copy)
            other = self.start(*ADMIN, store=copy)
            self.assertEqual(self.publisher(router=other).welcome["lastSeq"], 20)
            self.assertEqual(self.show(router=other)["widgets"][0]["widget"], "w1")
            # It must not lose the folder while it runs.
            other.stop()


if __name__ == "__main__":
    unittest.main()
