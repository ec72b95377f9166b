"""Client of ReloadRouter: pushes (`Publisher`, `AsyncPublisher`) and gateways (`Gateway`)."""

from .asynchronous import AsyncPublisher
from .connection import Limits, Options
from .events import Closed, Event, Forked, NotConnected, PushTooLong, Rejected, RouterError
from .frames import PushOptions
from .gateway import Gateway, Reload
from .outbox import OutboxError
from .publisher import Publisher, Statistics

__all__ = [
    "AsyncPublisher",
    "Closed",
    "Event",
    "Forked",
    "Gateway",
    "Limits",
    "NotConnected",
    "Options",
    "OutboxError",
    "Publisher",
    "PushOptions",
    "PushTooLong",
    "Rejected",
    "Reload",
    "RouterError",
    "Statistics",
]
__version__ = "0.9.0"
