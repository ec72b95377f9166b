"""The publisher for asyncio. The connection stays on its own thread, so a busy event loop does not lose it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TypeVar

from .events import Event
from .frames import Json
from .publisher import Publisher, Statistics

T = TypeVar("T")
S = TypeVar("S", bound="AsyncPublisher")


class AsyncPublisher:
    """Publishes pushes of one producer; the parameters are those of `Publisher`. It belongs to one event loop."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._publisher = Publisher(*arguments, **options)
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
        """Calls `attempt` at each change until it returns something."""
        self._loop = loop = asyncio.get_running_loop()
        deadline = None if timeout is None else loop.time() + timeout
        while True:
            waiter = loop.create_future()
            self._waiters.append(waiter)  # Before the attempt, so that no change is missed.
            found = attempt()
            if found is not None:
                waiter.cancel()
                return found
            try:
                await asyncio.wait_for(waiter, None if deadline is None else max(0, deadline - loop.time()))
            except asyncio.TimeoutError:  # Another class than TimeoutError before Python 3.11.
                raise TimeoutError("the time is over") from None

    async def connect(self, timeout: float | None = None) -> AsyncPublisher:
        """As `Publisher.connect`."""
        publisher = self._publisher

        def attempt() -> bool | None:
            try:
                publisher.connect(0)
            except TimeoutError:
                return None
            return True

        await self._until(attempt, timeout)
        return self

    async def __aenter__(self: S) -> S:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def push(
        self,
        payload: Json,
        *,
        urgent: bool = False,
        expires_at: int | None = None,
        kinds: Sequence[str] | None = None,
    ) -> int:
        """As `Publisher.push`. If it is cancelled, the push was not accepted."""
        seq = self.try_push(payload, urgent=urgent, expires_at=expires_at, kinds=kinds)
        if seq is not None:
            return seq
        return await self._until(lambda: self.try_push(payload, urgent=urgent, expires_at=expires_at, kinds=kinds))

    def try_push(
        self,
        payload: Json,
        *,
        urgent: bool = False,
        expires_at: int | None = None,
        kinds: Sequence[str] | None = None,
    ) -> int | None:
        """As `Publisher.try_push`."""
        return self._publisher.try_push(payload, urgent=urgent, expires_at=expires_at, kinds=kinds)

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
