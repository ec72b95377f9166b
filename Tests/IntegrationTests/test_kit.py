"""Devices whose app uses ReloadRouterKit: the program kit-device, against the real router."""

import http.server
import itertools
import json
import os
import pathlib
import plistlib
import queue
import re
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from admin import ask, metrics
from apns import token as push_token
from deploy_case import documents, has
from store_case import *
from test_apns_delivery import DeliveryCase
from test_publish_http import FLAGS
from test_tls import Certificates, Security
from test_tokens import TokenCase, key, signed

#: What Foundation on Linux believes; no variable of the environment names another file.
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
HAS_YAML = has("yaml")
ROUTE = "/v1/apps/{app}/devices/{device}/widgets"


def device_program():
    """The program, which is built with the unit tests."""
    places = [os.environ.get("RELOAD_ROUTER_KIT"), pathlib.Path(binary()).with_name("kit-device"),
              CHECKOUT / ".build-tests" / "debug" / "kit-device"]
    for place in filter(None, places):
        if pathlib.Path(place).exists():
            return str(place)
    reason = "no kit-device is built; deploy/test builds it"
    raise AssertionError(reason) if os.environ.get("RELOAD_ROUTER_FULL") == "1" else unittest.SkipTest(reason)


class Kit:
    """A device's app as a process."""

    def __init__(self, folder, url, device="d-1", token=TOKENS["device"], authority=None):
        self.folder = pathlib.Path(folder)
        self.token = self.folder / "token"
        self.token.write_text(token)
        line = [device_program(), url, APP, device, self.folder / "remembered", self.token]
        if authority:
            # A mount that this process alone has.
            script = f'mount --bind "$0" {AUTHORITIES} && exec "$@"'
            line = ["unshare", "-rm", "sh", "-c", script, authority, *line]
        self.process = subprocess.Popen(
            list(map(str, line)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean_environment())
        self.ids = itertools.count(1)
        self.answers = queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.answers.put(json.loads(line))

    def begin(self, call, **members):
        """Begins a call; `end` returns what came of it."""
        self.process.stdin.write(json.dumps({"id": next(self.ids), "call": call, **members}) + "\n")
        self.process.stdin.flush()

    def end(self):
        try:
            answer = self.answers.get(timeout=30 * PATIENCE)
        except queue.Empty:
            raise AssertionError(f"no answer; exit code {self.process.poll()}") from None
        del answer["id"]
        return answer

    def ask(self, call, **members):
        self.begin(call, **members)
        return self.end()

    def register(self, *widgets, **members):
        return self.ask("register", widgets=list(widgets), **members)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdin.close()
        self.process.stdout.close()


class KitCase(unittest.TestCase):
    """What is mixed into the cases here: devices of their routers."""

    scheme = "http"

    def kit(self, folder=None, port=None, **options):
        folder = folder or self.enterContext(tempfile.TemporaryDirectory(prefix="reload-router-kit-"))
        host = "localhost" if self.scheme == "https" else "127.0.0.1"
        kit = Kit(folder, f"{self.scheme}://{host}:{port or self.router.publish[1]}", **options)
        self.addCleanup(kit.kill)
        return kit

    def answered(self, status):
        """How many registrations the router has answered in this way."""
        return metrics(self.router).get(f'publish_requests_total{{route="{ROUTE}",status="{status}"}}', 0)


class Story(KitCase, StoreCase):
    flags = FLAGS

    def test_what_has_not_changed_is_sent_once(self):
        kit = self.kit()
        self.assertEqual(kit.register(ELF, pushToken=push_token(1)), {"sent": True})
        self.assertEqual(kit.register(ELF, pushToken=push_token(1)), {"sent": False})
        again = self.kit(kit.folder)
        self.assertEqual(again.register(ELF), {"sent": False})
        self.assertEqual(again.register(ELF, pushToken=push_token(2)), {"sent": True})
        self.assertEqual(self.answered(200), 2)
        self.assertEqual(self.publisher().pushed(HEALING), 1)
        self.assertEqual(again.register(), {"sent": True})
        self.assertEqual(self.publisher("other").pushed(HEALING), 0)

    def test_a_timeline_gets_the_date_for_its_own_timer(self):
        kit = self.kit()
        kit.register(ELF, widget("w2", character="orc-7"))
        date = int(time.time()) + 3_600
        found = kit.ask("report", widget="w1", entries=[date - 10, date - 3_000], after=date)
        self.assertGreaterEqual(found["date"], date)
        self.assertLess(found["date"], date + 1_800)
        found = kit.ask("report", kind=DETAIL, configuration={"character": "orc-7"}, entries=[date])
        self.assertGreaterEqual(found["date"], date)
        views = ask(self.router, f"/v1/apps/{APP}/devices/d-1").json["widgets"]
        self.assertEqual(views[1]["date"]["at"], round(found["date"] * 1_000))
        self.assertIn("no widget", kit.ask("report", kind=DETAIL, configuration={"character": "elf-9"}, entries=[])["error"])

    def test_widgets_without_names_are_named_by_what_they_are(self):
        kit = self.kit()
        nameless = [{"kind": DETAIL, "family": family, "configuration": {"character": character}}
                    for family, character in (("systemSmall", "elf-42"), ("systemSmall", "elf-42"), ("systemLarge", "elf-42"),
                                              ("systemSmall", 'a "quoted"\ntext'), ("systemSmall", "é" * 60))]
        self.assertEqual(kit.register(*nameless), {"sent": True})
        self.assertEqual(kit.register(*nameless), {"sent": False})
        views = ask(self.router, f"/v1/apps/{APP}/devices/d-1").json["widgets"]
        self.assertEqual(len({view["widget"] for view in views}), 5)
        self.assertEqual(self.publisher().pushed(HEALING), 3)

    def test_requests_and_states_reach_an_open_session(self):
        kit = self.kit()
        kit.register(ELF)
        session = self.device("d-1")
        self.assertEqual(kit.ask("request", kind=DETAIL), {})
        self.assertEqual(session.reloads()[0].json["cause"], "request")
        self.assertEqual(kit.ask("update", foreground=True, visible=["w1"]), {})
        refused = kit.ask("update", visible=["none"])
        self.assertIn("404 widget-unknown", refused["error"])
        self.assertFalse(refused["isTemporary"])

    def test_a_router_that_has_lost_the_device_gets_it_again_by_its_next_report(self):
        kit = self.kit()
        kit.register(ELF)
        port = self.router.publish[1]
        self.assertEqual(self.router.stop(), 0)
        self.router = self.start("--publish", f"127.0.0.1:{port}", "--admin", "127.0.0.1:0")
        self.assertEqual(kit.ask("report", widget="w1", entries=[time.time() + 900]).keys(), {"date"})
        self.assertEqual(self.publisher().pushed(HEALING), 1)

    def test_a_name_may_have_any_characters(self):
        name = "d/1 ?%é.."
        self.kit(device=name).register(ELF)
        self.assertEqual(self.publisher().pushed(HEALING), 1)
        self.assertEqual([r.json["device"] for r in self.device(name).reloads()], [name])


class Outages(KitCase, StoreCase):
    def setUp(self):
        self.port = fixed_port()
        self.flags = ("--publish", f"127.0.0.1:{self.port}", "--admin", "127.0.0.1:0")
        super().setUp()

    def test_a_registration_waits_for_a_router_that_was_killed(self):
        kit = self.kit(port=self.port)
        self.router.kill()
        kit.begin("register", widgets=[ELF])
        kit.begin("refresh")
        with self.assertRaises(queue.Empty):
            kit.answers.get(timeout=0.5)
        self.router._start()
        self.router.wait_listening()
        self.assertEqual(sorted(kit.end()["sent"] for _ in range(2)), [False, True])
        self.router.restart(kill=True)
        self.assertEqual(self.publisher().pushed(HEALING), 1)

    def test_a_registration_survives_the_end_of_its_app(self):
        kit = self.kit(port=self.port)
        self.router.kill()
        kit.begin("register", widgets=[ELF], pushToken=push_token(1))
        wait_until((kit.folder / "remembered" / "widgets.json").exists, "it is remembered")
        kit.kill()
        self.router._start()
        self.router.wait_listening()
        again = self.kit(kit.folder, port=self.port)
        self.assertEqual(again.ask("refresh"), {"sent": True})
        self.assertEqual(self.publisher().pushed(HEALING), 1)

    def test_a_crowd_of_registrations_survives_kills_of_the_router(self):
        kits = [self.kit(port=self.port, device=f"d-{number}") for number in range(8)]
        for round in range(3):
            for number, kit in enumerate(kits):
                kit.begin("register", widgets=[widget(f"w{round}", character=f"elf-{round}-{number}")])
            self.router.restart(kill=True)
            for kit in kits:
                self.assertEqual(kit.end(), {"sent": True})
        self.router.restart(kill=True)
        publisher = self.publisher()
        for number in range(8):
            self.assertEqual(publisher.pushed({"character": f"elf-2-{number}"}), 1)
            self.assertEqual(publisher.pushed({"character": f"elf-1-{number}"}), 0)


class Access(KitCase, TokenCase):
    flags = FLAGS
    access = {"publishers": [entry(TOKENS["publisher"])], "devices": [key(), entry(TOKENS["device"])]}

    def test_a_wrong_credential_is_refused_without_another_attempt(self):
        kit = self.kit(token="wrong-token-of-a-stranger")
        refused = kit.register(ELF)
        self.assertIn("401 token-invalid", refused["error"])
        self.assertFalse(refused["isTemporary"])
        # Once with the first answer of the app's backend, and once with another one.
        self.assertEqual(self.answered(401), 2)
        kit.token.write_text(TOKENS["device"])
        self.assertEqual(kit.ask("refresh"), {"sent": True}, "it is remembered")

    def test_a_token_of_another_device_is_refused(self):
        self.assertIn("403 token-invalid", self.kit(token=signed(sub="d-2")).register(ELF)["error"])
        self.assertEqual((self.answered(403), self.answered(401)), (1, 0))
        self.assertEqual(self.publisher().pushed(HEALING), 0)

    def test_a_token_that_is_revoked_is_asked_for_again(self):
        kit = self.kit(token=signed(exp=9e9))
        self.assertEqual(kit.register(ELF), {"sent": True})
        self.install(**self.access | {"devices": [key(secret=b"y" * 32)]})
        kit.token.write_text(signed(secret=b"y" * 32))
        self.assertEqual(kit.register(ELF, widget("w2")), {"sent": True})
        self.assertEqual((self.answered(200), self.answered(401)), (2, 1))

    def test_the_credential_is_not_remembered(self):
        kit = self.kit()
        kit.register(ELF, pushToken=push_token(1))
        remembered = "".join(path.read_text() for path in (kit.folder / "remembered").iterdir())
        self.assertIn(push_token(1), remembered)
        self.assertNotIn(TOKENS["device"], remembered)


class Secure(KitCase, StoreCase):
    """Over TLS, with the authority of `cert new`."""

    scheme = "https"

    def setUp(self):
        self.certificates = Certificates(self)
        self.flags = (*FLAGS, *self.certificates.flags)
        super().setUp()

    def test_a_device_registers_over_tls(self):
        probe = subprocess.run(["unshare", "-rm", "mount", "--bind", AUTHORITIES, AUTHORITIES],
                               capture_output=True, text=True)
        if probe.returncode != 0:
            self.skipTest(f"no mount of one's own is possible here: {probe.stderr}")
        kit = self.kit(authority=self.certificates.path("ca.pem"))
        self.assertEqual(kit.register(ELF), {"sent": True})
        self.assertEqual(kit.ask("report", widget="w1", entries=[time.time() + 900]).keys(), {"date"})
        self.assertEqual(self.publisher(security=Security(self.certificates)).pushed(HEALING), 1)

    def test_a_router_that_has_not_proved_itself_gets_nothing(self):
        refused = self.kit().register(ELF)
        self.assertIn("has not proved itself", refused["error"])
        self.assertFalse(refused["isTemporary"])


class Pushes(KitCase, DeliveryCase):
    """From the registration to Apple's service."""

    def start(self, *flags, **options):
        return super().start("--publish", "127.0.0.1:0", *flags, **options)

    def test_a_device_that_has_registered_gets_pushes(self):
        kit = self.kit()
        kit.register(ELF, pushToken=push_token(1))
        self.assertEqual(self.pushed(), 1)
        self.assertEqual([r["token"] for r in self.mock.wait_requests(1)], [push_token(1)])
        self.wait_ended("accepted")
        self.assertEqual(kit.ask("report", widget="w1", entries=[time.time() + 900]).keys(), {"date"})
        kit.register(ELF, pushToken=push_token(2))
        self.assertEqual(self.pushed({"event": "dragon", "character": "elf-42"}), 1)
        self.assertEqual([r["token"] for r in self.mock.wait_requests(2)], [push_token(1), push_token(2)])


class Strangers(KitCase):
    """Servers that are no router."""

    def serve(self, status, headers=(), body=b""):
        """A server with one answer; its list of requests."""
        requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_PUT(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                requests.append((self.path, dict(self.headers)))
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_PUT

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_address[1], requests

    def test_a_redirect_does_not_lead_the_credential_to_another_server(self):
        other, stolen = self.serve(200, body=b"{}")
        port, requests = self.serve(307, [("Location", f"http://localhost:{other}/")])
        refused = self.kit(port=port).register(ELF)
        self.assertIn("307", refused["error"])
        self.assertEqual((len(requests), stolen), (1, []))


class Example(unittest.TestCase):
    """What of deploy/examples/ios only Apple's systems use."""

    folder = CHECKOUT / "deploy" / "examples" / "ios"

    def test_the_page_names_what_is_not_compiled_here(self):
        table = (self.folder / "README.md").read_text().split("| file | why |")[1].split("\n\n")[0]
        named = {name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1] if row else "")}
        target = (CHECKOUT / "Package.swift").read_text().split('name: "GameOnIOS",')[1].split("exclude: [")[1]
        self.assertEqual(named | {"README.md"}, set(re.findall(r'"([^"]+)"', target.split("]")[0])))
        for name in named:
            self.assertTrue((self.folder / name).exists(), name)

    def test_app_and_extension_share_the_group_and_have_pushes(self):
        group = re.search(r'static let group = "(.*)"', (self.folder / "Shared" / "Game.swift").read_text())[1]
        for part in "App", "Widgets":
            found = plistlib.loads((self.folder / part / f"{part}.entitlements").read_bytes())
            self.assertEqual(found["com.apple.security.application-groups"], [group])
            self.assertEqual((len(found), found["aps-environment"]), (2, "development"))

    @unittest.skipUnless(HAS_YAML, "there is no PyYAML")
    def test_the_project_names_what_is_there(self):
        project, = documents(self.folder / "project.yml")
        kit = self.folder / project["packages"]["ReloadRouterKit"]["path"]
        self.assertTrue((kit / "Package.swift").exists() and (kit / "DeviceReporter.swift").exists())
        targets = project["targets"]
        for target in targets.values():
            for folder in target["sources"]:
                self.assertTrue((self.folder / folder).is_dir(), folder)
            self.assertTrue((self.folder / target["settings"]["base"]["CODE_SIGN_ENTITLEMENTS"]).exists())
            self.assertIn({"package": "ReloadRouterKit"}, target["dependencies"])
        app, extension = (targets[name]["settings"]["base"]["PRODUCT_BUNDLE_IDENTIFIER"] for name in ("Game", "GameWidgets"))
        self.assertTrue(extension.startswith(f"{app}."))


if __name__ == "__main__":
    unittest.main()
