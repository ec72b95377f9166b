"""Debian's Prometheus with the rules that are shipped: it scrapes a real router, and alerts fire."""

import html
import http.client
import importlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from admin import ask
from deploy_case import *
from store_case import *

FOLDER = CHECKOUT / "deploy" / "prometheus"
DASHBOARD = CHECKOUT / "deploy" / "grafana" / "reload-router.json"
NAMES = re.compile(r"\breload_router_[a-z0-9_]+")
ADMIN = ("--admin", "127.0.0.1:0")
#: Without their waiting, these fire on a machine that is busy for a moment.
OF_THE_MACHINE = {f"ReloadRouter{name}" for name in
                  ("LoopSlow", "LoopStalls", "CommitSlow", "AckSlow", "SchedulerLate")}


def families(router):
    """What /metrics says of each metric: its type, and the labels of its samples."""
    types, labels = {}, {}
    for line in ask(router, "/metrics").text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            parts = {"histogram": ("_bucket", "_sum", "_count"), "summary": ("_sum", "_count")}
            names = [name + part for part in parts.get(kind, ("",))]
            types.update(dict.fromkeys(names, kind))
        elif not line.startswith("#"):
            name, _, rest = line.partition("{")
            name = name.split(" ")[0]
            labels.setdefault(name, set()).update(re.findall(r'([a-z_]+)="', rest))
    return types, labels


def dashboard_queries(panels=None):
    """Every query of the dashboard, with the panel's title."""
    panels = panels or json.loads(DASHBOARD.read_text())["panels"]
    return [(panel["title"], target["expr"])
            for panel in panels for target in panel.get("targets", [])]


def metrics_named():
    """Every metric that a rule or the dashboard names, with where."""
    named = {}
    text = (FOLDER / "reload-router.rules.yml").read_text()
    # Names of recording rules have a colon in front.
    for expression in re.findall(r"expr: (>\n(?: {10}.*\n)+|.*\n)", text):
        for name in NAMES.findall(re.sub(r"instance:[a-z0-9_:]+", "", expression)):
            named.setdefault(name, "the rules")
    for name in NAMES.findall(DASHBOARD.read_text()):
        named.setdefault(name, "the dashboard")
    return named


class Prometheus:
    """A Prometheus on a port of its own, with the shipped rules without their waiting."""

    def __init__(self, folder, *targets, **scraping):
        folder = pathlib.Path(folder)
        rules = (FOLDER / "reload-router.rules.yml").read_text()
        # What holds for a while holds at once here; the waiting is tested by promtool.
        (folder / "rules.yml").write_text(re.sub(r"(?m)^        for: .*\n", "", rules))
        (folder / "prometheus.yml").write_text(json.dumps({
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s",
                       "evaluation_interval": "1s"},
            "rule_files": ["rules.yml"],
            "scrape_configs": [{"job_name": "reload-router",
                                "authorization": {"credentials": ADMIN_TOKEN}, **scraping,
                                "static_configs": [{"targets": list(targets)}]}]}))
        self.port = fixed_port()
        self.log = folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={folder / 'prometheus.yml'}",
                 f"--storage.tsdb.path={folder / 'data'}", "--log.level=warn",
                 f"--web.listen-address=127.0.0.1:{self.port}"], stdout=log, stderr=log)
        wait_until(self.is_ready, "Prometheus is ready", 60)

    def is_ready(self):
        if self.process.poll() is not None:
            raise AssertionError(self.log.read_text())
        try:
            return self.get("/-/ready")[0] == 200
        except OSError:
            return False

    def get(self, path, **query):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        try:
            connection.request("GET", path + "?" + urllib.parse.urlencode(query))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def query(self, expression):
        """The samples: labels and value."""
        status, body = self.get("/api/v1/query", query=expression)
        found = json.loads(body)
        assert status == 200 and found["status"] == "success", (expression, found)
        return [(one["metric"], float(one["value"][1])) for one in found["data"]["result"]]

    def value(self, expression):
        found = self.query(expression)
        return found[0][1] if len(found) == 1 else None

    def firing(self):
        """The alerts that fire, by name, without those about the speed of this machine."""
        _, body = self.get("/api/v1/alerts")
        found = {alert["labels"]["alertname"]: alert["annotations"]
                 for alert in json.loads(body)["data"]["alerts"] if alert["state"] == "firing"}
        return {name: found[name] for name in found.keys() - OF_THE_MACHINE}

    def stop(self):
        self.process.terminate()
        self.process.wait(WAIT)


@unittest.skipUnless(shutil.which("promtool"), "promtool is part of Debian's prometheus")
class Rules(unittest.TestCase):
    def promtool(self, *arguments):
        done = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True,
                              cwd=FOLDER)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_the_files_are_what_prometheus_reads(self):
        """The configurations, whose token is elsewhere, and the rules that they name."""
        self.promtool("check", "config", "--syntax-only", "prometheus.yml")
        self.promtool("check", "config", "--syntax-only", "../docker/prometheus.yml")
        named = re.findall(r"(?m)^  - (\S+\.rules\.yml)$", (FOLDER / "prometheus.yml").read_text())
        self.assertEqual(sorted(named), sorted(path.name for path in FOLDER.glob("*.rules.yml")))
        self.promtool("check", "rules", *named)

    def test_the_rules_do_what_their_tests_say(self):
        """Each alert fires when it should, and not before."""
        self.assertIn("SUCCESS", self.promtool("test", "rules", "reload-router.test.yml"))

    def test_each_alert_has_a_test_a_severity_and_a_runbook(self):
        """The runbook's section exists, and no section is about an alert that there is not."""
        tests = (FOLDER / "reload-router.test.yml").read_text()
        alerts = {}
        for file in FOLDER.glob("*.rules.yml"):
            parts = re.split(r"- alert: (\w+)\n", file.read_text())
            alerts |= dict(zip(parts[1::2], parts[2::2]))
        self.assertGreater(len(alerts), 15)
        for name, text in alerts.items():
            self.assertIn(f"alertname: {name}", tests)
            self.assertRegex(text, r"severity: (page|ticket|info)\b")
            self.assertRegex(text, rf"runbook_url: (\"|').*/runbook#{name.lower()}\1\n")
        runbook = (CHECKOUT / "deploy" / "runbook.md").read_text()
        sections = re.findall(r"(?m)^### (ReloadRouter\w+)\n\n(.+)", runbook)
        self.assertEqual(sorted(name for name, _ in sections), sorted(alerts))


class Runbook(unittest.TestCase):
    """The page that the router serves is made of the runbook."""

    def setUp(self):
        folder = str(CHECKOUT / "deploy")
        sys.path.insert(0, folder)
        self.addCleanup(sys.path.remove, folder)
        self.maker = importlib.import_module("runbook_page")

    def test_the_page_is_that_of_the_runbook(self):
        """After a change: deploy/runbook_page.py."""
        self.assertEqual(self.maker.PAGE.read_text(),
                         self.maker.page(self.maker.SOURCE.read_text()))

    def test_each_section_has_one_place_of_its_own(self):
        ids = re.findall(r' id="([^"]*)"', self.maker.PAGE.read_text())
        self.assertEqual(len(ids), len(set(ids)))
        headings = re.findall(r"(?m)^#{1,3} ", self.maker.SOURCE.read_text())
        # The page's own elements have the three others.
        self.assertEqual(len(ids), len(headings) + 3)

    def test_nothing_that_is_written_becomes_markup(self):
        hostile = "<img src=x onerror=alert(1)>"
        text = (f"# T\n\n## {hostile}\n\na `{hostile}` **{hostile}** & {hostile}\n\n"
                f"    {hostile}\n\n- {hostile}\n\n      {hostile}\n\n1. x\n   {hostile}\n")
        page = self.maker.page(text)
        self.assertNotIn("<img", page)
        self.assertEqual(page.count(html.escape(hostile)), 9)

    def test_what_it_reads_of_markdown(self):
        self.assertEqual(
            self.maker.blocks("a `b*` **c**\n  \n1. d\n   e\n\n       f\n         g\n\n   h\n2. i\n"
                              .splitlines()),
            "<p>a <code>b*</code> <strong>c</strong></p>\n<ol>\n<li>d e\n<pre tabindex=\"0\"><code>"
            "f\n  g</code></pre>\n<p>h</p></li>\n<li>i</li>\n</ol>")
        for unknown in ("> quoted", "```", "| a | b |"):
            self.assertRaises(ValueError, self.maker.blocks, [unknown])


class Names(StoreCase):
    def test_every_metric_that_is_named_is_there(self):
        """What rules and dashboard ask for is in /metrics of a router, and so are its labels."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        folder = pathlib.Path(folder)
        self.assertEqual(command("cert", "new", "--out", folder).returncode, 0)
        certificate = folder / "Certificate_game.pem"
        certificate.touch(0o600)
        certificate.write_bytes((folder / "cert.pem").read_bytes() + (folder / "key.pem").read_bytes())
        lasting = [entry("lasting", notAfter="2096-01-01T00:00:00Z")]
        apns = {"certificate": "game", "bundle": "com.mygame"}
        router = self.start(*ADMIN, "--record", folder / "capture", "--cert", folder / "cert.pem",
                            "--key", folder / "key.pem", "--apns-keys", folder,
                            apps={"apps": [APPS["apps"][0] | {"publishers": lasting, "apns": apns}]})
        types, labels = families(router)
        missing = {name: where for name, where in metrics_named().items() if name not in types}
        self.assertEqual(missing, {})
        texts = [(FOLDER / "reload-router.rules.yml").read_text()] + \
            [query for _, query in dashboard_queries()]
        for text in texts:
            for name, selector in re.findall(r"(reload_router_[a-z0-9_]+)\{([^}]*)\}", text):
                asked = set(re.findall(r"([a-z_]+)=~?\"", selector)) - {"job", "instance"}
                if name in labels and asked:
                    self.assertLessEqual(asked, labels[name], name)


@unittest.skipUnless(shutil.which("prometheus"), "there is no prometheus")
class Scraping(StoreCase):
    def setUp(self):
        # Before the routers, so that it goes after they are put away.
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        super().setUp()

    def put_aside(self, router):
        """Ends a router before its disk goes, and without asking it for its exit code."""
        self.routers.remove(router)
        self.addCleanup(router.folder.cleanup)
        self.addCleanup(router.kill)

    def watch(self, *routers):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        prometheus = Prometheus(folder, *("{}:{}".format(*router.admin) for router in routers))
        self.addCleanup(prometheus.stop)
        wait_until(lambda: len(prometheus.query("up == 1")) == len(routers), "scraped", 30)
        return prometheus

    def test_it_sees_what_the_router_does(self):
        """Counters rise as pushes do, and nothing fires."""
        router = self.start(*ADMIN)
        prometheus = self.watch(router)
        device, publisher = self.device("d-1", ELF, router=router), self.publisher(router=router)
        self.pushes(publisher, 7)
        wait_until(lambda: prometheus.value("reload_router_pushes_accepted_total") == 7, "7 pushes")
        wait_until(lambda: prometheus.value("sum(reload_router_reloads_sent_total)") == 7, "reloads")
        wait_until(
            lambda: (prometheus.value("instance:reload_router_pushes_accepted:rate5m") or 0) > 0,
            "a recorded rate")
        # A scrape that took longer than its second has an alert of its own, until the next one.
        wait_until(lambda: prometheus.firing() == {}, "nothing fires")

    def test_it_scrapes_with_tls_as_the_compose_file_does(self):
        """With its token, its authority and its name, of files that are here."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        run(binary(), "cert", "new", "--out", folder)
        token = folder / "token"
        token.write_text("operator-secret-0123456789")
        token.chmod(0o600)
        router = self.start(*ADMIN, "--admin-tls", "on", "--admin-token-file", token,
                            "--cert", folder / "cert.pem", "--key", folder / "key.pem")
        (document,) = documents(DEPLOY / "docker" / "prometheus.yml")
        (job,) = document["scrape_configs"]
        job["authorization"]["credentials_file"] = str(token)
        job["tls_config"]["ca_file"] = str(folder / "ca.pem")
        scraping = {name: job[name] for name in ("scheme", "tls_config", "authorization")}
        prometheus = Prometheus(folder, "{}:{}".format(*router.admin), **scraping)
        self.addCleanup(prometheus.stop)
        wait_until(lambda: prometheus.query("up == 1"), "scraped", 30)
        self.assertNotIn("handshake failed", router.log)

    def test_alerts_fire_while_the_disk_is_full_and_no_longer(self):
        """Those of the store, and no others."""
        mounted = self.enterContext(disk(self.folder, "32m"))
        router = self.start(*ADMIN, store=mounted / "store")
        self.put_aside(router)
        prometheus = self.watch(router)
        publisher = self.publisher(router=router)
        self.pushes(publisher, 5)
        filler = mounted / "filler"
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4_096))
        wait_until(lambda: publisher.push(HEALING) and "the store fails" in router.log,
                   "the store fails", 30)
        firing = wait_until(
            lambda: (found := prometheus.firing()).get("ReloadRouterStoreFailing")
            and "ReloadRouterDown" not in found and found, "the alert fires, and none that it is down", 30)
        address = "{}:{}".format(*router.admin)
        self.assertEqual(firing["ReloadRouterStoreFailing"], {
            "summary": f"the store of {address} fails: nothing is acknowledged",
            "runbook_url": f"http://{address}/runbook#reloadrouterstorefailing"})
        page = ask(router, "/runbook")
        self.assertEqual(page.status, 200)
        self.assertIn('<h3 id="reloadrouterstorefailing">', page.text)
        filler.unlink()
        wait_until(lambda: "ReloadRouterStoreFailing" not in prometheus.firing(),
                   "the alert is over", 30)

    def test_an_alert_fires_when_a_router_is_gone(self):
        """For the one that was killed, and not for the other one."""
        router, other = self.start(*ADMIN), self.start(*ADMIN)
        prometheus = self.watch(router, other)
        gone = "{}:{}".format(*router.admin)
        router.kill()
        self.put_aside(router)
        wait_until(lambda: [(name, one["summary"]) for name, one in prometheus.firing().items()]
                   == [("ReloadRouterDown", f"{gone} does not answer scrapes")], "that alert alone fires", 30)

    def test_every_panel_of_the_dashboard_can_be_drawn(self):
        """Prometheus accepts each query, and each panel shows something."""
        capture = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "capture"
        router = self.start(*ADMIN, "--record", capture)
        prometheus = self.watch(router)
        device, publisher = self.device("d-1", ELF, router=router), self.publisher(router=router)
        def play():
            self.pushes(publisher, 3)
            publisher.push(b"{")
            client = self.connect(router)
            client.hello("device", token="wrong", device="d-2")
            client.expect_end()
        def empty():
            """Panels none of whose queries has a sample."""
            play()
            shown = {}
            for title, expression in dashboard_queries():
                expression = expression.replace("$__rate_interval", "30s").replace("$instance", ".*")
                shown[title] = bool(prometheus.query(expression)) or shown.get(title, False)
            return [title for title, is_shown in shown.items() if not is_shown]
        left = []
        def is_whole():
            left[:] = empty()
            return not left
        try:
            wait_until(is_whole, "all panels show something", 30)
        except AssertionError:
            self.assertEqual(left, [], "panels that show nothing")
            raise


if __name__ == "__main__":
    unittest.main()
