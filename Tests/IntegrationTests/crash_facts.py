"""What the crash harness records of pushes, widgets' versions and RELOADs.

A widget's configuration is a list of *versions*, because it is known only between two moments:

      WIDGETS sent      its ACK            the next WIDGETS sent       the ACK of that
    ───────┼───────────────┼────────────────────────┼────────────────────────┼──────►
           └─ possible ────└─ certain ──────────────┘             possible ──┘

A push has such a window too: from when it was last sent, by a session that knew that the router
did not have it, to its acknowledgement. It surely concerns the versions that are certain all that
time, and perhaps those that are possible for a part of it.
"""

import collections
import time
from typing import NamedTuple

from support import now_ms

INFINITY = float("inf")


class Push:
    """A push, or an invalid one, which must be rejected."""

    def __init__(self, seq, producer, hero, alias, is_bad=False, void_at=None):
        self.seq, self.producer, self.hero, self.alias = seq, producer, hero, alias
        self.is_bad, self.void_at = is_bad, void_at
        self.first_sent = self.sent = time.monotonic()
        self.sent_wall = now_ms()
        self.is_rejected = False

    def __repr__(self):
        void = "" if self.void_at is None else f" void at {self.void_at}, sent at {self.sent_wall}"
        return f"{self.seq} {self.hero} {self.alias}{' bad' if self.is_bad else ''}{void}"

    def heroes(self, kind, variants=("hero", "alias")):
        """Whose widgets of a kind it concerns, if the kind's rule may be one of these."""
        if kind.name != "flux":
            return {self.hero}
        return {{"hero": self.hero, "alias": self.alias}[variant] for variant in variants}

    def was_expired(self, slack):
        """Whether it had expired when it was sent, also by a clock that is `slack` ms slow."""
        return self.void_at is not None and self.void_at + slack <= self.sent_wall

    @property
    def payload(self):
        if self.is_bad:
            return b'["no object"]'
        return {"hero": self.hero, "alias": self.alias, "from": self.producer,
                "n": self.seq, f"n{self.producer}": self.seq}


class Producer:
    """What a producer has sent, by number."""

    def __init__(self, number):
        self.number = number
        self.pushes = {}
        self.last = 0
        # The number up to which everything is acknowledged, by an ACK or a WELCOME.
        self.acked = 0
        # The last push that was sent, for each hero and alias.
        self.last_for = {"hero": {}, "alias": {}}

    def new(self, seq, hero, alias, **options):
        push = Push(seq, self.number, hero, alias, **options)
        self.pushes[seq] = push
        self.last = seq
        if not push.is_bad:
            self.last_for["hero"][hero] = seq
            self.last_for["alias"][alias] = seq
        return push

    def open(self):
        """The pushes that are neither acknowledged nor rejected, in order."""
        found = (self.pushes.get(seq) for seq in range(self.acked + 1, self.last + 1))
        return [push for push in found if push and not push.is_rejected]


class Version:
    """A configuration that a widget has, or may have; `kind` is None for no widget at all."""

    def __init__(self, widget, kind, hero):
        self.widget, self.kind, self.hero = widget, kind, hero
        self.possible_from = time.monotonic()
        self.certain_from = None
        self.certain_until = self.possible_until = INFINITY
        # Of each producer, the last acknowledged push that surely concerned it, and when that was
        # sent at the earliest.
        self.owed = {}

    @property
    def config(self):
        return (self.kind.name, self.hero) if self.kind else None

    @property
    def is_possible(self):
        return self.possible_until == INFINITY

    def is_certain_all(self, start, end):
        """Whether it was known for sure from one moment to another."""
        return (self.certain_from is not None and self.certain_from < start
                and self.certain_until > end)

    @property
    def is_certain(self):
        return self.certain_from is not None and self.certain_until == INFINITY


class Date(NamedTuple):
    """A date that a timeline asked for, in ms since 1970."""

    at: int
    order: int


class Ask:
    """A request, or a move, of a device that reloads a widget."""

    def __init__(self):
        self.sent = time.monotonic()
        # When it has happened or never will; a RELOAD that comes later covers it.
        self.over = INFINITY


class Reload(NamedTuple):
    """A RELOAD, as seen by one of its widgets."""

    seq: int
    time: float
    wall: int
    # The number of the last push of each producer that it is for; None if it brings no values.
    vector: dict
    session: object


class Widget:
    """All that is known of a widget of a device, under any configuration."""

    def __init__(self, device, id):
        self.device, self.id = device, id
        self.versions = []
        self.settled = collections.Counter()
        self.received = collections.Counter()
        self.reload = None
        self.bare_time = 0.0
        self.dates = []
        self.asks = []
        self.must_ask = 0.0
        # What it was owed under another configuration is still owed; over when that is settled.
        self.legacy = []
        # When the router will reload it by the last timeline; None for never.
        self.reported = None
        self.timeline = 0
        self.seen = (None, {})
        self.settlements = 0
        self.causes = 0

    def __repr__(self):
        return f"{self.device}/{self.id}"

    @property
    def possible(self):
        return [v for v in self.versions if v.is_possible and v.kind]

    @property
    def certain(self):
        version = self.versions[-1] if self.versions else None
        return version if version and version.is_certain and version.kind else None
