"""What is Python's own about publishers: threads, iterators, asyncio. The rest is in the conformance suite."""

from __future__ import annotations

import asyncio
import logging
import os
import pathlib
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any
from unittest import mock

from reloadrouter import AsyncPublisher, Closed, Forked, Limits, NotConnected, Publisher, RouterError

from .router import Router

LIMITS = Limits(queue=3, first_pause=0.01, longest_pause=0.05)


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.router = Router()
        self.addCleanup(self.router.close)
        self.accepting: threading.Thread | None = None

    def options(self, **welcome: Any) -> dict[str, Any]:
        """The options of a publisher, whose connection is accepted on another thread."""
        accepting = threading.Thread(target=self.router.accept, kwargs=welcome)
        accepting.start()
        self.accepting = accepting
        self.addCleanup(accepting.join)
        return {"host": "127.0.0.1", "port": self.router.port, "app": "a", "producer": "p", "tls": False,
                "limits": LIMITS}  # fmt: skip


class Threads(Case):
    def open(self, **welcome: Any) -> Publisher:
        publisher = Publisher(**self.options(**welcome)).connect(10)
        self.addCleanup(publisher.close, 0)
        return publisher

    def test_pushes_from_many_threads_have_numbers_without_gaps(self) -> None:
        publisher, numbers = self.open(), []

        def work() -> None:
            for _ in range(50):
                numbers.append(publisher.push({}))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for seq in range(1, 201):
            self.assertEqual(self.router.receive()[:2], (0x10, seq))
            self.router.ack(seq)
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(numbers), list(range(1, 201)))
        self.assertTrue(publisher.flush(10))

    def test_a_push_that_finds_no_room_in_time_is_not_accepted(self) -> None:
        publisher = self.open()
        for _ in range(3):
            publisher.push({})
        with self.assertRaises(TimeoutError):
            publisher.push({}, timeout=0.01)
        self.assertEqual(publisher.statistics().queued, 3)

    def test_ready_made_json_is_sent_as_it_is(self) -> None:
        publisher = self.open()
        publisher.push('{"a" : 1}')
        publisher.push(b'{"a" : 2}')
        self.assertEqual([self.router.receive()[2] for _ in range(2)], [{"a": 1}, {"a": 2}])

    def test_events_are_iterated_until_the_client_is_closed(self) -> None:
        publisher = self.open()
        names: list[str] = []
        iterator = publisher.events()
        reader = threading.Thread(target=lambda: names.extend(event.name for event in iterator))
        reader.start()
        self.router.cut()
        self.router.accept()
        publisher.push({})
        self.router.receive()
        publisher.close(0)
        reader.join(10)
        self.assertEqual(names, ["disconnected", "connected"])
        with self.assertRaises(Closed):
            publisher.push({})

    def test_a_failing_callback_does_not_end_the_client(self) -> None:
        def fail(event: object) -> None:
            raise KeyError(event)

        with self.assertLogs("reloadrouter", "ERROR"):
            publisher = Publisher(**self.options(), on_event=fail).connect(10)
        publisher.push({})
        self.router.receive()
        self.router.ack(1)
        self.assertTrue(publisher.close())

    def test_a_refused_client_raises_the_code(self) -> None:
        publisher = self.open()
        publisher.push({})
        self.router.receive()
        self.router.send(0x7E, 0, {"code": "token-revoked", "retry": "no", "message": "…"})
        self.assertFalse(publisher.flush(10))
        with self.assertRaises(RouterError) as caught:
            publisher.push({})
        self.assertEqual(caught.exception.code, "token-revoked")


class SlowLog(logging.Handler):
    """Takes its time until the test ends it."""

    def __init__(self) -> None:
        super().__init__()
        self.has, self.end = threading.Event(), threading.Event()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())
        self.has.set()
        self.end.wait(60)


class Warnings(Case):
    def test_a_log_that_takes_its_time_does_not_keep_the_lock(self) -> None:
        publisher, log = Publisher(**self.options()), SlowLog()
        logger = logging.getLogger("reloadrouter")
        logger.addHandler(log)
        self.addCleanup(logger.removeHandler, log)
        self.addCleanup(publisher.close, 0)
        self.addCleanup(log.end.set)
        publisher.connect(10)
        self.router.cut()
        self.assertTrue(log.has.wait(60))
        pushing = threading.Thread(target=publisher.push, args=({},), daemon=True)
        pushing.start()
        pushing.join(30)
        self.assertFalse(pushing.is_alive(), "a push waits for the log")
        self.assertEqual(publisher.statistics().queued, 1)
        log.end.set()
        self.router.accept()
        self.assertEqual(self.router.receive()[:2], (0x10, 1))
        self.assertEqual(len(log.texts), 1)
        self.assertRegex(log.texts[0], r"^no session with 127\.0\.0\.1:\d+: .* \(tried again\)$")


def in_child(action: Callable[[], object]) -> str:
    """What an action does in a child of this process: "done" or "Forked"."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said = "done"
        try:
            action()
        except Forked:
            said = "Forked"
        finally:
            os.write(write, said.encode())
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    return found


@unittest.skipUnless(hasattr(os, "fork"), "this system has no forks")
class Forks(Case):
    def test_a_child_is_told_at_once_and_the_parent_goes_on(self) -> None:
        publisher = Publisher(**self.options()).connect(10)
        self.addCleanup(publisher.close, 0)
        publisher.push({"n": 1})
        self.assertEqual(self.router.receive()[1:], (1, {"n": 1}))
        for action in (lambda: publisher.push({}), lambda: publisher.try_push({}), lambda: publisher.connect()):
            self.assertEqual(in_child(action), "Forked")
        self.assertEqual(in_child(lambda: publisher.close()), "done", "it does not wait for the parent's answers")
        self.router.ack(1)
        publisher.push({"n": 2})
        self.assertEqual(self.router.receive()[1:], (2, {"n": 2}), "no child has spoken over this connection")
        self.router.ack(2)
        self.assertTrue(publisher.flush(10))

    def test_a_child_is_told_while_the_thread_has_the_lock(self) -> None:
        publisher = Publisher(**self.options()).connect(10)
        self.addCleanup(publisher.close, 0)
        has, end = threading.Event(), threading.Event()

        def hold() -> None:
            with publisher._changed:
                has.set()
                end.wait(60)

        thread = threading.Thread(target=hold)
        thread.start()
        has.wait(60)
        self.assertEqual(in_child(lambda: publisher.push({})), "Forked")
        end.set()
        thread.join()

    def test_an_outbox_stays_the_parents(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "outbox"
            publisher = Publisher(**self.options(), outbox=str(file))
            self.assertEqual(in_child(publisher.connect), "Forked")
            publisher.connect(10)
            publisher.push({"n": 1})
            self.assertEqual(in_child(lambda: publisher.close()), "done")
            self.router.receive()
            self.assertIn(b'{"n":1}', file.read_bytes())
            self.router.ack(1)
            self.assertTrue(publisher.close())

    def test_a_publisher_that_has_not_connected_yet_works_in_the_child(self) -> None:
        publisher = Publisher(**self.options())
        self.addCleanup(publisher.close, 0)

        def work() -> None:
            with publisher:
                publisher.push({"n": 1})

        threading.Thread(target=lambda: self.take_and_acknowledge(), daemon=True).start()
        self.assertEqual(in_child(work), "done")
        assert self.accepting is not None

    def take_and_acknowledge(self) -> None:
        assert self.accepting is not None
        self.accepting.join()
        self.assertEqual(self.router.receive()[1:], (1, {"n": 1}))
        self.router.ack(1)


class Asynchronous(Case):
    def take(self, count: int) -> None:
        for _ in range(count):
            self.assertEqual(self.router.receive()[0], 0x10)

    def run_async(self, function: Any, **welcome: Any) -> Any:
        async def whole() -> Any:
            async with AsyncPublisher(**self.options(**welcome)) as publisher:
                return await asyncio.wait_for(function(publisher), 60)

        return asyncio.run(whole())

    def test_pushes_wait_for_room_without_blocking_the_loop(self) -> None:
        async def work(publisher: AsyncPublisher) -> None:
            for _ in range(3):
                await publisher.push({})
            self.assertIsNone(publisher.try_push({}))
            waiting = [asyncio.ensure_future(publisher.push({})) for _ in range(2)]
            await asyncio.sleep(0)
            self.assertFalse(any(push.done() for push in waiting))
            self.take(3)
            self.router.ack(2)
            self.assertEqual(sorted(await asyncio.gather(*waiting)), [4, 5])
            self.assertFalse(await publisher.flush(0.01))
            self.take(2)
            self.router.ack(5)
            self.assertTrue(await publisher.flush())
            self.assertEqual(publisher.statistics().acknowledged, 5)

        self.run_async(work)

    def test_a_cancelled_push_is_not_accepted(self) -> None:
        async def work(publisher: AsyncPublisher) -> None:
            for _ in range(3):
                await publisher.push({})
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(publisher.push({"late": True}), 0.01)
            self.take(3)
            self.router.ack(3)
            await publisher.flush()
            self.assertEqual(await publisher.push({}), 4)
            self.take(1)
            self.router.ack(4)

        self.run_async(work)

    def test_events_are_iterated(self) -> None:
        async def work(publisher: AsyncPublisher) -> None:
            found = []
            events = publisher.events()
            first = asyncio.ensure_future(events.__anext__())
            await asyncio.sleep(0)
            self.router.cut()
            found.append((await first).name)
            await asyncio.get_running_loop().run_in_executor(None, self.router.accept)
            found.append((await events.__anext__()).name)
            await events.aclose()  # type: ignore[attr-defined]
            self.assertEqual(found, ["disconnected", "connected"])

        self.run_async(work)

    def test_a_failure_to_enter_does_not_block_the_loop(self) -> None:
        publisher = AsyncPublisher("127.0.0.1", self.router.port, app="a", producer="p", tls=False)
        closing, end = threading.Event(), threading.Event()
        close = publisher._publisher._close

        def close_slowly() -> None:
            closing.set()
            end.wait(60)
            close()

        async def work() -> None:
            with mock.patch.object(publisher._publisher, "_close", close_slowly):
                entering = asyncio.ensure_future(publisher.__aenter__())
                await asyncio.sleep(0.01)
                entering.cancel()
                while not closing.is_set():
                    await asyncio.sleep(0.001)
                self.assertFalse(end.is_set(), "the loop goes on meanwhile")
                end.set()
                with self.assertRaises(asyncio.CancelledError):
                    await entering
            with self.assertRaises(Closed):
                publisher.try_push({})

        started = time.monotonic()
        asyncio.run(work())
        self.assertLess(time.monotonic() - started, 30, "the closing has waited for the loop")

    def test_a_router_that_does_not_answer_is_a_time_out(self) -> None:
        async def work() -> None:
            publisher = AsyncPublisher("127.0.0.1", self.router.port, app="a", producer="p", tls=False)
            with self.assertRaises(NotConnected):
                await publisher.connect(0.01)
            await publisher.close(0)

        asyncio.run(work())


if __name__ == "__main__":
    unittest.main()
