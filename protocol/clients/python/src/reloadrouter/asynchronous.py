"""The publisher for asyncio. The connection stays on its own thread, so a busy event loop does not lose it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from .events import Event
from .publisher import Publisher, Statistics

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .connection import Options
    from .frames import Json, PushOptions

T = TypeVar("T")
S = TypeVar("S", bound="AsyncPublisher")


class AsyncPublisher:
    """Publishes pushes of one producer; the parameters are those of `Publisher`. It belongs to one event loop."""

    def __init__(
        self,
        host: str,
        port: int | None = None,
        *,
        app: str,
        producer: str,
        outcomes: bool = False,
        outbox: str | None = None,
        http_address: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._publisher = Publisher(
            host,
            port,
            app=app,
            producer=producer,
            outcomes=outcomes,
            outbox=outbox,
            http_address=http_address,
            **options,
        )
        self._waiters: list[asyncio.Future[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._publisher._on_change = self._changed

    def _changed(self) -> None:
        """Called on the publisher's thread, with its lock."""
        if self._waiters and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _until(self, attempt: Callable[[], T | None], timeout: float | None = None) -> T:
        """Calls `attempt`, now and at each change, until it returns something."""
        if (found := attempt()) is not None:
            return found
        self._loop = loop = asyncio.get_running_loop()
        deadline = None if timeout is None else loop.time() + timeout
        while True:
            waiter = loop.create_future()
            self._waiters.append(waiter)  # Before the attempt, so that no change is missed.
            if (found := attempt()) is not None:
                waiter.cancel()
                return found
            try:
                await asyncio.wait_for(waiter, None if deadline is None else max(0, deadline - loop.time()))
            except asyncio.TimeoutError:  # Another class than TimeoutError before Python 3.11.
                raise TimeoutError("the time is over") from None

    async def connect(self, timeout: float | None = 10.0) -> AsyncPublisher:
        """As `Publisher.connect`."""

        def attempt() -> Publisher | None:
            with suppress(TimeoutError):
                return self._publisher.connect(0)
            return None

        try:
            await self._until(attempt, timeout)
        except TimeoutError:
            raise self._publisher._not_connected(timeout or 0) from None
        return self

    async def __aenter__(self: S) -> S:
        try:
            await self.connect()
        except GeneratorExit:  # Nothing can be awaited any more.
            self._end()
            raise
        except BaseException:  # The thread may still be connecting, and the loop must not wait for it.
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, self._end))
            raise
        return self

    def _end(self) -> None:
        self._publisher._close()
        self._publisher.close()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def push(self, payload: Json, **options: Unpack[PushOptions]) -> int:
        """As `Publisher.push`. If it is cancelled, the push was not accepted."""
        return await self._until(lambda: self.try_push(payload, **options))

    def try_push(self, payload: Json, **options: Unpack[PushOptions]) -> int | None:
        """As `Publisher.try_push`."""
        return self._publisher.try_push(payload, **options)

    async def flush(self, timeout: float | None = None) -> bool:
        """As `Publisher.flush`."""
        last = self._publisher._last
        try:
            return await self._until(lambda: self._publisher._is_flushed(last), timeout)
        except TimeoutError:
            return False

    async def close(self, timeout: float = 5.0) -> bool:
        """As `Publisher.close`."""
        is_flushed = await self.flush(timeout)
        await asyncio.get_running_loop().run_in_executor(None, self._publisher.close, 0)
        return is_flushed

    async def history(self, seq: int, *, after: int | None = None, timeout: float = 10.0) -> dict[str, Any]:
        """As `Publisher.history`."""
        question = partial(self._publisher.history, seq, after=after, timeout=timeout)
        return await asyncio.get_running_loop().run_in_executor(None, question)

    def statistics(self) -> Statistics:
        return self._publisher.statistics()

    async def events(self) -> AsyncIterator[Event]:
        """The events from now on, as they happen. It ends with the client."""
        waiting = self._publisher._subscribe()
        try:
            while True:
                event = await self._until(lambda: self._publisher._next(waiting))
                if not isinstance(event, Event):
                    return
                yield event
        finally:
            self._publisher._unsubscribe(waiting)
