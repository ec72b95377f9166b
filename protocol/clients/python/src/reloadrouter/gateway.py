"""A gateway: the backend of an app, which speaks for the app's devices."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .connection import Connection, Options
from .events import Closed, Event, Rejected
from .frames import (
    ACK,
    ATTACH,
    ATTACHED,
    DETACHED,
    REJECT,
    RELOAD,
    REQUEST,
    SCHEDULED,
    STATE,
    TIMELINE,
    WIDGETS,
    FrameError,
    check_date,
    decode_json,
    encode,
    encode_json,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

_DEVICES_PER_ATTACH = 256


@dataclass(frozen=True)
class Reload:
    """A device is to reload widgets. `seq` is for the TIMELINE that answers it."""

    seq: int
    device: str
    kinds: Sequence[str]
    widgets: Sequence[str]
    cause: str
    values: dict[str, Any]


class _Request:
    """A frame to the router, and the future of its answer; a repeated registration has no reader of it."""

    def __init__(self, kind: int, body: dict[str, Any], has_reader: bool = True) -> None:
        self.kind, self.body, self.has_reader = kind, body, has_reader
        self.seq = 0
        self.future: Future[dict[str, Any] | None] = Future()
        self.scheduled: dict[str, Any] | None = None


class Gateway(Connection):
    """Registers the widgets of an app's devices, and receives their reloads. For TLS see `Publisher`.

    Each call returns a future of the answer, which is None, or the body of SCHEDULED; or the future raises
    `Rejected`. After a cut the devices are attached again, and frames without an answer are sent again.
    """

    def __init__(self, host: str, port: int | None = None, *, app: str, **options: Unpack[Options]) -> None:
        super().__init__(host, port, {"role": "gateway", "app": app}, options)
        self._repeats: deque[_Request] = deque()  # ATTACH, and WIDGETS of devices that are unknown; sent first
        self._queue: deque[_Request] = deque()
        self._in_flight: deque[_Request] = deque()
        self._registered: dict[str, dict[str, Any]] = {}
        self._attaches = 0  # without an answer; until all have one, no other frame is sent
        self._seq = 0
        self._reloads: deque[Reload] = deque(maxlen=self._limits.events)

    def close(self) -> None:
        """Ends the client; futures without an answer are cancelled."""
        self._close()
        with self._changed:
            self._ended()

    def _ended(self) -> None:
        for request in (*self._repeats, *self._queue, *self._in_flight):
            if isinstance(self._failure, Closed):
                request.future.cancel()
            elif request.future.set_running_or_notify_cancel():
                request.future.set_exception(self._failure)
        for requests in (self._repeats, self._queue, self._in_flight):
            requests.clear()

    def reloads(self) -> Iterator[Reload]:
        """The reloads as they arrive, each to one reader. It ends with the client."""
        return self._iterate(self._reloads)

    def widgets(
        self,
        device: str,
        widgets: Sequence[dict[str, Any]],
        push_token: str | None = None,
        app_push_token: str | None = None,
        environment: str | None = None,
    ) -> Future[dict[str, Any] | None]:
        """Replaces all widgets of a device; none delete it."""
        body: dict[str, Any] = {"device": device, "widgets": list(widgets)}
        optional = {"pushToken": push_token, "appPushToken": app_push_token, "environment": environment}
        body |= {name: value for name, value in optional.items() if value is not None}
        with self._changed:
            if widgets and device not in self._registered and len(self._registered) >= self._limits.registrations:
                raise ValueError("the client's limit of registrations is reached")
            return self._request(WIDGETS, body)

    def timeline(
        self,
        device: str,
        widget: str,
        entries: Sequence[int],
        policy: str | dict[str, int],
        reload: int | None = None,
        because: str | None = None,
        own_timer: bool = False,
    ) -> Future[dict[str, Any] | None]:
        """A widget's new timeline: dates in milliseconds since 1970, and "never", "atEnd" or {"after": date}."""
        for date in entries:
            check_date(date, "an entry")
        if isinstance(policy, dict) and isinstance(policy.get("after"), int):
            check_date(policy["after"], "the date of the policy")
        body = {
            "device": device,
            "widget": widget,
            "reload": reload,
            "entries": list(entries),
            "policy": policy,
            "because": because,
            "ownTimer": True if own_timer else None,
        }
        return self._request(TIMELINE, {name: value for name, value in body.items() if value is not None})

    def state(self, device: str, **changes: Any) -> Future[dict[str, Any] | None]:
        """What has changed about a device: `foreground`, `media`, `visible`, `location`."""
        return self._request(STATE, {"device": device, **changes})

    def request(self, device: str, kind: str | None = None) -> Future[dict[str, Any] | None]:
        """The app asks for a reload of one kind, or of all."""
        return self._request(REQUEST, {"device": device, **({} if kind is None else {"kind": kind})})

    def _request(self, kind: int, body: dict[str, Any]) -> Future[dict[str, Any] | None]:
        request = _Request(kind, body)
        encode_json(body)  # Raises here what is no JSON.
        with self._changed:
            limit = self._limits.unanswered
            self._changed.wait_for(lambda: self._failure is not None or len(self._queue) + len(self._in_flight) < limit)
            self._check()
            self._queue.append(request)
            self._wake()
        return request.future

    def _welcomed(self, welcome: dict[str, Any]) -> None:
        self._seq = 0
        names = list(self._registered)
        for start in range(0, len(names), _DEVICES_PER_ATTACH):
            self._repeats.append(_Request(ATTACH, {"devices": names[start : start + _DEVICES_PER_ATTACH]}, False))
        self._attaches = len(self._repeats)

    def _has_output(self) -> bool:
        return bool(self._repeats or self._queue and not self._attaches)

    def _take_output(self) -> bytes:
        output = b""
        while self._has_output() and len(output) < self._BATCH_BYTES:
            request = self._repeats.popleft() if self._repeats else self._queue.popleft()
            self._seq += 1
            request.seq = self._seq
            self._in_flight.append(request)
            output += encode(request.kind, request.seq, encode_json(request.body))
        return output

    def _received(self, kind: int, seq: int, body: bytes) -> None:
        if kind == RELOAD:
            reload = decode_json(body)
            self._reloads.append(
                Reload(
                    seq, reload["device"], reload["kinds"], reload["widgets"], reload["cause"], reload.get("values", {})
                )
            )
        elif kind == DETACHED:
            lost = decode_json(body)
            if lost["reason"] != "session":  # Another gateway has the device, or has removed it.
                self._registered.pop(lost["device"], None)
            self._report(Event("detached", device=lost["device"], code=lost["reason"]))
        elif kind == ACK:
            while self._in_flight and self._in_flight[0].seq <= seq:
                self._accepted(self._in_flight.popleft())
        elif kind in (REJECT, SCHEDULED, ATTACHED):
            for request in self._in_flight:
                if request.seq == seq:
                    self._answered(request, kind, decode_json(body))
                    break
        else:
            raise FrameError(f"a frame of type {kind} is not for a gateway")
        self._notify()

    def _answered(self, request: _Request, kind: int, body: dict[str, Any]) -> None:
        if kind == SCHEDULED:
            request.scheduled = body
        elif kind == ATTACHED:
            known = (self._registered.get(name) for name in body.get("unknown", []))
            self._repeats.extend(_Request(WIDGETS, widgets, False) for widgets in known if widgets is not None)
        else:
            self._in_flight.remove(request)
            self._attaches -= request.kind == ATTACH
            refusal = Rejected(str(body.get("message", "")), str(body["code"]), str(body.get("retry", "no")))
            if request.future.set_running_or_notify_cancel():
                request.future.set_exception(refusal)
            if request.kind == WIDGETS and not request.has_reader:  # The router had accepted it before.
                device = request.body["device"]
                self._registered.pop(device, None)
                self._report(Event("rejected", device=device, code=refusal.code, message=str(refusal)))

    def _accepted(self, request: _Request) -> None:
        self._attaches -= request.kind == ATTACH
        if request.kind == WIDGETS:
            if request.body["widgets"]:
                self._registered[request.body["device"]] = request.body
            else:
                self._registered.pop(request.body["device"], None)
        if request.future.set_running_or_notify_cancel():
            request.future.set_result(request.scheduled)

    def _disconnected(self) -> None:
        self._queue.extendleft(request for request in reversed(self._in_flight) if request.has_reader)
        self._in_flight.clear()
        self._repeats.clear()
        self._attaches = 0
