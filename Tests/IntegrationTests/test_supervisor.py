"""What a service manager is notified of: sd_notify(3), and a watchdog that the loop itself feeds."""

import os
import signal
import socket
import tempfile
import time
import unittest

from store_case import *
from supervisor import Supervisor


class Supervised(StoreCase):
    def supervise(self, *flags, watchdog=None, abstract=True, **options):
        """A router with a supervisor of its own; returns both."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        supervisor = Supervisor(watchdog, abstract, folder)
        # After the routers, which notify it of their end.
        self.addClassCleanup(supervisor.close)
        environment = supervisor.environment | options.pop("env", {})
        return self.start(*flags, env=environment, **options), supervisor

    def wait_received(self, supervisor, name, count=1):
        return wait_until(lambda: len(found := supervisor.received(name)) >= count and found,
                          f"{count} times {name} ({supervisor.messages})")

    def test_a_life(self):
        """Loading, ready when it can be connected to, reloading and ready, stopping."""
        for abstract in (True, False):
            with self.subTest(abstract=abstract):
                router, supervisor = self.supervise(abstract=abstract)
                self.wait_received(supervisor, "READY")
                socket.create_connection(router.address).close()
                self.assertEqual(supervisor.received("STATUS"), [
                    ("STATUS", "loading the store"), ("STATUS", f"serving on {router.to}")])
                before = time.monotonic_ns() // 1_000
                router.signal(signal.SIGHUP)
                self.wait_received(supervisor, "READY", 2)
                said = int(supervisor.received("MONOTONIC_USEC")[0][1])
                self.assertTrue(before <= said <= time.monotonic_ns() // 1_000, (before, said))
                self.assertEqual(router.stop(), 0)
                self.wait_received(supervisor, "STOPPING")
                states = [name for name, _ in supervisor.received("READY", "RELOADING", "STOPPING")]
                self.assertEqual(states, ["READY", "RELOADING", "READY", "STOPPING"])
                self.assertEqual(supervisor.status, "draining")
                self.assertEqual(supervisor.received("WATCHDOG"), [], "no watchdog was asked for")

    def test_a_broken_app_file_ends_the_reload_too(self):
        """The old one stays, and so the router is ready."""
        router, supervisor = self.supervise()
        self.wait_received(supervisor, "READY")
        router.apps.write_text("{")
        router.signal(signal.SIGHUP)
        router.wait_log("app file refused")
        self.wait_received(supervisor, "READY", 2)

    def test_it_is_not_ready_while_it_loads(self):
        router, supervisor = self.supervise()
        self.wait_received(supervisor, "READY")
        router.stop()
        let_go = self.start_held_up(router)
        wait_until(lambda: supervisor.status == "loading the store", "loading")
        self.assertEqual(len(supervisor.received("READY")), 1)
        let_go()
        self.wait_received(supervisor, "READY", 2)
        router.wait_listening()

    def test_a_loop_that_is_stuck_says_nothing(self):
        """While it is stopped no sign of life comes; another router, which runs, shows the time."""
        watchdog = 1.0
        started = time.monotonic()
        router, supervisor = self.supervise(watchdog=watchdog)
        _, other = self.supervise(watchdog=watchdog)
        self.wait_received(supervisor, "WATCHDOG", 5)
        # Twice in its time and not more often; how late one comes depends on the machine.
        count = len(supervisor.received("WATCHDOG"))
        self.assertLessEqual(count - 1, (time.monotonic() - started) / (watchdog * 0.4))
        router.signal(signal.SIGSTOP)
        try:
            self.wait_stopped(router)
            before, passed = len(supervisor.received("WATCHDOG")), len(other.received("WATCHDOG"))
            # As long as it takes until a manager ends it, twice.
            self.wait_received(other, "WATCHDOG", passed + 5)
            self.assertLessEqual(len(supervisor.received("WATCHDOG")), before + 1, "one on its way")
            before = len(supervisor.received("WATCHDOG"))
        finally:
            router.signal(signal.SIGCONT)
        self.wait_received(supervisor, "WATCHDOG", before + 2)

    def wait_stopped(self, router):
        status = pathlib.Path(f"/proc/{router.process.pid}/stat")
        wait_until(lambda: status.read_text().rpartition(")")[2].split()[0] == "T", "stopped")

    def test_a_watchdog_of_another_process_is_not_fed(self):
        """WATCHDOG_PID names whom the manager looks at."""
        environment = {"WATCHDOG_PID": str(os.getpid())}
        router, supervisor = self.supervise("--ping-interval", 0.2, watchdog=0.05,
                                            env=environment)
        self.wait_received(supervisor, "READY")
        # Some sweeps later.
        publisher = self.connect(router)
        publisher.answers_pings = False
        publisher.hello("publisher", producer="p")
        while publisher.next().type != PING:
            pass
        self.assertEqual(supervisor.received("WATCHDOG"), [])

    def test_a_store_that_fails_is_shown(self):
        """And that it works again."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        folder = self.enterContext(disk(folder, "32m"))
        router, supervisor = self.supervise(store=folder / "store")
        self.routers.remove(router)
        self.addCleanup(router.folder.cleanup)
        self.addCleanup(router.kill)
        publisher = self.publisher(router=router)
        filler = folder / "filler"
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4_096))
        wait_until(lambda: publisher.push(HEALING) and "the store fails" in router.log,
                   "the store fails", 30)
        failing = "the store fails (store-full): nothing is acknowledged"
        wait_until(lambda: supervisor.status == failing, failing)
        filler.unlink()
        wait_until(lambda: supervisor.status == f"serving on {router.to}", "it works again", 30)

    def test_a_missing_manager_is_no_reason_to_end(self):
        """It is logged once, with the reason, and the router serves."""
        router = self.start(env={"NOTIFY_SOCKET": "/no/such/socket"})
        router.wait_log("the service manager cannot be notified")
        for _ in range(3):
            router.signal(signal.SIGHUP)
        router.wait_log("app file read again")
        self.publisher(router=router).pushed(HEALING)
        self.assertEqual(router.log.count("the service manager cannot be notified"), 1)

    def test_a_meaningless_setting_is_refused(self):
        """With the variable's name, and what it must be."""
        for environment, sentence in (
            ({"NOTIFY_SOCKET": "relative"}, "NOTIFY_SOCKET is relative; it must be a path"),
            ({"NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "soon"}, "WATCHDOG_USEC is soon; it must"),
        ):
            said = command("serve", "--listen", "127.0.0.1:0", "--apps", self.router.apps,
                           "--store", "none", env=environment)
            self.assertEqual(said.returncode, 1, said.stdout)
            self.assertIn(sentence, said.stderr)


if __name__ == "__main__":
    unittest.main()
