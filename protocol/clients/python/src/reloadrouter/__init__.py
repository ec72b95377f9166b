"""Client of ReloadRouter: pushes (`Publisher`, `AsyncPublisher`) and gateways (`Gateway`)."""

from .asynchronous import AsyncPublisher
from .connection import Limits
from .events import Closed, Event, PushTooLong, Rejected, RouterError
from .gateway import Gateway, Reload
from .outbox import OutboxError
from .publisher import Publisher, Statistics

__all__ = [
    "AsyncPublisher",
    "Closed",
    "Event",
    "Gateway",
    "Limits",
    "OutboxError",
    "Publisher",
    "PushTooLong",
    "Rejected",
    "Reload",
    "RouterError",
    "Statistics",
]
__version__ = "1.0.0"
