"""Start, settings, the app file read again, drain and logs."""

import json
import os
import signal
import socket
import unittest

from support import *

SETTINGS = """listen admin apps store durability checkpoint-after config max-body window max-connections
max-awaiting-hello max-producers max-producers-per-app max-request-keys-per-app producer-idle device-idle max-devices
max-widgets-per-device hello-timeout frame-timeout ping-interval output-limit output-total
record record-file-bytes record-file-seconds record-keep redact
drain-timeout log-level log-format""".split()


def apps_with(match):
    """The usual app with another rule for character-detail."""
    kinds = [{"kind": DETAIL, "match": match, "budget": "unlimited"}]
    return json.dumps({"apps": [{"app": APP, **ACCESS, "kinds": kinds}]}, indent=2)


class Drain(RouterCase):
    def test_both_signals_drain(self):
        """GOAWAY to every session, then the end of the stream, then exit 0."""
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number):
                router = self.start()
                sessions = [self.publisher(router=router), self.device("d-1", router=router),
                            self.gateway(router=router)]
                silent = self.connect(router)
                sessions[0].barrier()
                router.signal(number)
                for session in sessions:
                    self.assertEqual(session.expect(GOAWAY).json, {"reason": "drain"})
                    self.assertIsNone(session.next())
                self.assertIsNone(silent.next())
                self.assertEqual(router.exit_code(), 0)

    def test_a_signal_drains_that_was_blocked_in_the_process_that_started_the_router(self):
        """A program inherits the signal mask of the thread that starts it."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGHUP})
        try:
            router = self.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        router.process.send_signal(signal.SIGTERM)
        self.assertEqual(router.process.wait(WAIT), 0)

    def test_what_was_decided_is_flushed_before_the_end(self):
        """Thousands of RELOADs and the ACK on their way arrive in front of GOAWAY."""
        gateway, publisher = self.gateway(receive_buffer=4_096), self.publisher()
        count = 2_000
        for number in range(count):
            gateway.send(WIDGETS, {"device": f"d-{number:04}" + "x" * 100,
                                   "widgets": [widget("w" * 100, character="elf-42")]})
        while gateway.expect(ACK).seq < count:
            pass
        self.assertEqual(publisher.pushed(HEALING), count)
        self.router.signal(signal.SIGTERM)
        publisher.expect(GOAWAY)
        gateway.expect(GOAWAY)
        devices = [f.json["device"] for f in gateway.kept if f.type == RELOAD]
        self.assertEqual((len(devices), len(set(devices))), (count, count))
        self.assertIsNone(gateway.next())
        self.assertEqual(self.router.exit_code(), 0)

    def test_a_drain_accepts_no_new_connections(self):
        """The port is free as soon as GOAWAY has been said."""
        device = self.device("d-1")
        self.router.signal(signal.SIGTERM)
        device.expect(GOAWAY)
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(self.router.address)

    def test_a_peer_that_never_reads_holds_a_drain_up_no_longer_than_the_time_out(self):
        """drain-timeout ends it, with exit 0."""
        router = self.start("--drain-timeout", 0.5, "--output-limit", 1 << 23)
        gateway, publisher = self.gateway(router=router, receive_buffer=4_096), \
            self.publisher(router=router)
        for number in range(600):
            gateway.register(widget("w" * 120, character="elf-42"), device=f"{number:0128}")
        for _ in range(40):
            publisher.pushed(HEALING)
        router.signal(signal.SIGTERM)
        started = now_ms()
        self.assertEqual(router.exit_code(), 0)
        # Without the setting it would be 10 s.
        self.assertLess(now_ms() - started, 9_500)

    def test_a_second_signal_ends_a_drain_at_once(self):
        """An impatient operator need not wait for the drain time-out."""
        router = self.start("--drain-timeout", 3_600)
        gateway = self.gateway(router=router, receive_buffer=4_096)
        publisher = self.publisher(router=router)
        for number in range(600):
            gateway.register(widget("w" * 120, character="elf-42"), device=f"{number:0128}")
        for _ in range(40):
            publisher.pushed(HEALING)
        router.signal(signal.SIGTERM)
        router.wait_log("draining")
        publisher.expect(GOAWAY)
        router.signal(signal.SIGTERM)
        self.assertEqual(router.exit_code(), 0)


class AppFile(RouterCase):
    def test_sighup_changes_the_rules_and_a_broken_file_keeps_the_old_ones(self):
        """The good file holds for the next push; the broken one is named with line and column."""
        router = self.start(apps=apps_with({"character": ["${configuration.character}"]}))
        device = self.device("d-1", widget("w", character="elf-42"), router=router)
        publisher = self.publisher(router=router)
        def matched():
            found = [publisher.pushed({name: "elf-42"}) for name in ("character", "hero")]
            self.assertEqual(len(device.reloads()), sum(found))
            return found
        self.assertEqual(matched(), [1, 0])
        router.apps.write_text(apps_with({"hero": ["${configuration.character}"]}))
        router.signal(signal.SIGHUP)
        router.wait_log("app file read again")
        self.assertEqual(matched(), [0, 1])
        for count, (broken, place) in enumerate([
            ('{"apps":[\n  {"app": }]}', "line 2, column 11"),
            ('{\n"apps":[{"app":"a",\n"kinds":[],"unknown":1}]}', "line 3, column"),
            (apps_with({"character": []}), "line "), ("", "line 1, column 1"),
        ], 1):
            router.apps.write_text(broken)
            router.signal(signal.SIGHUP)
            router.wait_log("app file refused", count)
            self.assertIn(place, router.log.splitlines()[-1])
            self.assertEqual(matched(), [0, 1])
        os.unlink(router.apps)
        router.signal(signal.SIGHUP)
        router.wait_log("app file refused", 5)
        self.assertEqual(matched(), [0, 1])

    def test_an_app_that_is_no_longer_declared_ends_its_sessions_and_no_others(self):
        """app-unknown for them; new sessions of it are refused as if it had never been, and welcome
        when it is back."""
        other, mine = self.publisher(app="com.other"), self.publisher()
        old = self.router.apps.read_text()
        self.router.apps.write_text(json.dumps({"apps": APPS["apps"][:1]}))
        self.router.signal(signal.SIGHUP)
        self.assert_ends(other, "app-unknown")
        mine.pushed(HEALING)
        late = self.connect()
        late.hello("publisher", app="com.other", producer="p")
        self.assert_ends(late, "token-invalid")
        self.router.apps.write_text(old)
        self.router.signal(signal.SIGHUP)
        self.router.wait_log("app file read again", 2)
        self.publisher(app="com.other").barrier()


class Settings(RouterCase):
    def refused(self, *arguments, env=None):
        """Runs serve, which must refuse to start; returns what it says."""
        result = command("serve", *arguments, env={"RELOAD_ROUTER_STORE": "none"} | (env or {}))
        self.assertGreater(result.returncode, 0, "an exit code, and no signal")
        self.assertNotIn("listening on", result.stdout)
        return result.stderr

    def test_a_wrong_setting_is_a_clear_error(self):
        """What is wrong is named: file, setting, value, place."""
        apps = ("--apps", self.router.apps)
        self.assertIn("/no/such/apps.json", self.refused("--apps", "/no/such/apps.json"))
        self.assertIn("--apps", self.refused())
        self.assertIn("many", self.refused(*apps, "--max-body", "many"))
        self.assertIn("window", self.refused(*apps, "--window", "0"))
        self.assertIn("nowhere", self.refused(*apps, "--listen", "nowhere:port"))
        self.assertIn("loud", self.refused(*apps, "--log-level", "loud"))
        self.assertIn("max-body", self.refused(*apps, env={"RELOAD_ROUTER_MAX_BODY": "12"}))
        broken = self.router.apps.with_name("broken.json")
        broken.write_text('{"apps":[\n  {"app": }]}')
        self.assertRegex(self.refused("--apps", broken), "broken.json.*line 2, column 11")

    def test_connections_leave_open_files_to_the_store(self):
        """Fewer connections are accepted than asked for; with too few files there is no start."""
        router = self.start(descriptors=400)
        router.wait_log("only 144 connections are accepted: the limit of open files is 400")
        router = self.start("--max-connections", 144, descriptors=400)
        self.assertNotIn("are accepted", router.log)
        router = self.start(descriptors=319, waits=False)
        self.assertEqual(router.exit_code(), 1)
        self.assertIn("the limit of open files is 319 (ulimit -n); it must be at least 320", router.log)
        self.routers.remove(router)

    def test_a_flag_beats_the_environment_which_beats_the_file(self):
        """The same setting under its three names."""
        file = self.router.apps.with_name("settings.json")
        file.write_text('{"max-body": 2048, "window": 20, "hello-timeout": 0.5}')
        router = self.start("--config", file, "--window", 40,
                            env={"RELOAD_ROUTER_WINDOW": "30", "RELOAD_ROUTER_MAX_BODY": "4096"})
        welcome = self.publisher(router=router).welcome
        self.assertEqual((welcome["maxBody"], welcome["window"]), (4096, 40))
        self.assert_ends(self.connect(router), "hello-timeout")
        only = self.start("--config", file)
        welcome = self.publisher(router=only).welcome
        self.assertEqual((welcome["maxBody"], welcome["window"]), (2048, 20))

    def test_a_configuration_file_is_refused_rather_than_ignored(self):
        """A value of another type, or a setting that there is not: serve and check say the same."""
        file = self.router.apps.with_name("settings.json")
        for text, sentence in (
            ('{"durability": 1}', "column 16: durability is 1; it must be full, os or none"),
            ('{"store": null}', "store is null; it must be a folder, or none"),
            ('{"window": true}', "window is true; it must be a whole number"),
            ('{"window": 1e300}', "window is 1e300; it must be a whole number"),
            ('{"ping-interval": [1]}', "ping-interval is [1]; it must be a number of seconds"),
            ('{"listen": ":1"}', 'listen is ":1"; it must be a list of HOST:PORT'),
            ('{"listen": [":1", 2]}', 'listen is [":1", 2]; it must be a list'),
            ('{"log-level": 3}', "log-level is 3; it must be trace"),
            ('{\n"windw": 3}', "line 2, column 1: there is no setting windw"),
            ('{"durability": "half"}', "durability is half; it must be full, os or none"),
        ):
            with self.subTest(text):
                file.write_text(text)
                said = self.refused("--apps", self.router.apps, "--config", file)
                self.assertIn(sentence, said)
                checked = command("check", "--config", file)
                self.assertEqual(checked.returncode, 1, checked.stdout)
                self.assertIn(sentence, checked.stderr)
        file.write_text('{"window": "20", "ping-interval": 1.5, "listen": [":0"], "insecure": true}')
        self.assertEqual(command("check", "--config", file).returncode, 0)

    def test_help_names_every_setting_with_its_default(self):
        """serve --help is complete."""
        said = command("serve", "--help").stdout
        for name in SETTINGS:
            self.assertIn(f"--{name} ", said)
        self.assertGreaterEqual(said.count("default:"), len(SETTINGS) - 2)
        self.assertIn("RELOAD_ROUTER_", said)


class Logs(RouterCase):
    def misbehave(self, router):
        """Everything that could tempt a log line to quote a token or a payload."""
        publisher = self.publisher("p-secret-payload", router=router)
        device = self.device("d-1", widget("w", character="payload-71"), router=router)
        publisher.pushed({"character": "payload-71", "note": "payload-72"})
        self.assert_refused(publisher, publisher.push(b'{"payload-73":payload-74}'),
                            "payload-not-json")
        self.assert_refused(device, device.send(TIMELINE, b'"payload-75"'), "payload-not-object")
        for token in ("token-wrong-76", TOKENS["device"]):
            client = self.connect(router)
            client.hello("publisher", token=token, producer="p")
            self.assert_ends(client, "token-invalid")
        client = self.connect(router)
        client.send_raw(b"GET /payload-77 HTTP/1.1\r\nAuthorization: token-78\r\n\r\n")
        client.expect_end()
        device.register(widget("w", character="payload-79"))
        router.apps.write_text(router.apps.read_text().replace('"kinds"', '"token-80"', 1))
        router.signal(signal.SIGHUP)
        router.wait_log("app file refused")
        device.close()
        publisher.close()
        self.assertEqual(router.stop(), 0)

    def test_json_logs_are_one_object_a_line(self):
        """Every line parses and has time, level and message; without a terminal it is JSON."""
        for flags in (("--log-format", "json"), ()):
            router = self.start(*flags, level="trace")
            self.misbehave(router)
            lines = router.log.splitlines()
            self.assertGreater(len(lines), 5)
            for line in lines:
                record = json.loads(line)
                self.assertRegex(record["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
                self.assertIn(record["level"], "trace debug info notice warning error critical")
                self.assertTrue(record["message"])


if __name__ == "__main__":
    unittest.main()
