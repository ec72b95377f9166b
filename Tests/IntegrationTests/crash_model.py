"""What publishers and devices know of a router that is killed repeatedly, and what follows from that.

The model records what was sent and what came back, and raises `Violation` when the router breaks a
promise. A frame that was sent and not acknowledged when the router was killed may or may not have had
its effect: both are allowed, until a later observation decides (`crash_facts.py`).

Every push has a number that rises with its producer, and the kinds carry it. So the values of a
RELOAD say exactly which pushes it is for: what has been answered may not come again (`settled`),
and what has been acknowledged must come (`owed`).
"""

import collections
import time

from crash_facts import INFINITY, Ask, Date, Producer, Reload, Version, Widget
from crash_world import KINDS, PRODUCERS, UNITS
from support import now_ms

# Dates are whole milliseconds, and are read from another clock than the router's.
CLOCK_SLACK = 5
# The router's clock is slower than ours: by up to 2 ms, because it rounds down twice, and by the part
# of a tick that has passed when it accepts a push, because it reads its clocks once in a tick. A push
# that has been expired for less than this when it is sent may be accepted as one that is not.
VOID_SLACK = 500


class Violation(AssertionError):
    """The router broke a promise."""


class Model:
    """Everything that was sent and came back, of all rounds."""

    def __init__(self):
        self.producers = [Producer(n) for n in range(PRODUCERS)]
        self.widgets = {}
        self.of_device = collections.defaultdict(list)
        self._by_config = collections.defaultdict(list)
        # The highest RELOAD of all devices, and what it was when the router was started.
        self.last_reload = self.reload_floor = 0
        self.device_reload = collections.Counter()
        self.timelines = 0
        # How `flux` matches: what holds from when on; while two may hold, both are possible.
        self._variants = [("hero", 0.0, 0.0)]
        self.trace = collections.deque(maxlen=40_000)
        self.counts = collections.Counter()

    def note(self, *what):
        self.trace.append((time.monotonic(), what))

    def check(self, condition, *what):
        if not condition:
            raise Violation(" ".join(map(str, what)))

    # The app file.

    def variant_changes(self, variant):
        self._variants.append((variant, time.monotonic(), INFINITY))

    def variant_changed(self):
        variant, begun, _ = self._variants[-1]
        self._variants[-1:] = [(variant, begun, time.monotonic())]

    @property
    def variant(self):
        return self._variants[-1][0]

    def variants(self, start):
        """How `flux` may have matched since then."""
        found = set()
        for variant, _, done in reversed(self._variants):
            found.add(variant)
            if done <= start:
                break
        return found

    # Widgets.

    def widget(self, device, id):
        if (device, id) not in self.widgets:
            widget = self.widgets[device, id] = Widget(device, id)
            self.of_device[device].append(widget)
        return self.widgets[device, id]

    def registering(self, device, listed):
        """Records that WIDGETS is sent; returns what will be known once it is acknowledged."""
        ids = {widget.id for widget in self.of_device[device]} | set(listed)
        return [self._become(self.widget(device, id), listed.get(id)) for id in sorted(ids)]

    def _become(self, widget, config):
        version = widget.versions[-1] if widget.versions else None
        if version and version.config == config:
            return version
        now = time.monotonic()
        for older in widget.versions:
            older.certain_until = min(older.certain_until, now)
        kind, hero = config or (None, None)
        if widget.possible:
            widget.legacy.append(Ask())
        version = Version(widget, KINDS.get(kind), hero)
        widget.versions.append(version)
        # A date belonged to the widget's former configuration, also one that is being sent.
        widget.reported, widget.timeline = None, 0
        if config:
            self._by_config[config].append(version)
        return version

    def registered(self, versions):
        now = time.monotonic()
        for version in versions:
            widget = version.widget
            if version.certain_from is None:
                version.certain_from = now
            for older in widget.versions[:widget.versions.index(version)]:
                older.possible_until = min(older.possible_until, now)
            for legacy in widget.legacy:
                legacy.over = min(legacy.over, now)
            self._prune(widget)

    def _prune(self, widget):
        """Forgets versions that no push that is still open can have met."""
        oldest = min((p.first_sent for producer in self.producers
                      for p in producer.open()[:1]), default=time.monotonic()) - 1
        for version in [v for v in widget.versions if v.possible_until < oldest]:
            widget.versions.remove(version)
            if version.kind:
                self._by_config[version.config].remove(version)

    # Pushes.

    def matches(self, push, since):
        """The versions that an acknowledged push concerned: surely, and perhaps."""
        now = time.monotonic()
        sure, perhaps = [], []
        if push.is_bad or push.was_expired(VOID_SLACK):
            return sure, perhaps
        may_be_void = push.void_at is not None and push.void_at < now_ms() + 60_000
        for kind in KINDS.values():
            if push.producer not in kind.sources:
                continue
            heroes = push.heroes(kind, self.variants(since))
            for hero in heroes:
                for version in self._by_config[kind.name, hero]:
                    if version.possible_until < since or version.possible_from > now:
                        continue
                    perhaps.append(version)
                    if len(heroes) == 1 and not may_be_void and version.is_certain_all(since, now):
                        sure.append(version)
        return sure, perhaps

    def accepted(self, push):
        """A push was acknowledged; returns how many widgets that were at least, and at most."""
        sure, perhaps = self.matches(push, push.sent)
        for version in sure:
            version.owed[push.producer] = (push.seq, push.sent)
        self.counts["matches"] += len(sure)
        return (len({v.widget for v in sure}), len({v.widget for v in perhaps}))

    def welcomed(self, producer, last):
        """Records the lastSeq of a WELCOME; returns the pushes to send again."""
        self.check(last >= producer.acked, f"producer {producer.number}: lastSeq is {last};",
                   f"{producer.acked} was acknowledged")
        self.check(last <= producer.last, f"producer {producer.number}: lastSeq is {last};",
                   f"no more than {producer.last} was sent")
        push = producer.pushes.get(last)
        self.check(last == 0 or push and not push.is_bad, f"lastSeq is {last}, which is no push")
        for push in producer.open():
            if push.seq <= last:
                self.accepted(push)
        producer.acked = last
        again = producer.open()
        for push in again:
            push.sent, push.sent_wall = time.monotonic(), now_ms()
        return again

    # RELOADs.

    def reloaded(self, device, session, seq, body, floors):
        """Checks a RELOAD that has come: whether its widgets exist, and whether there is a cause.

        `floors` has what each certain version was owed when the session began.
        """
        self.check(seq > self.reload_floor, f"RELOAD {seq} to {device}: the router before this one",
                   f"got to {self.reload_floor}")
        self.check(seq > self.device_reload[device], f"RELOAD {seq} to {device} after",
                   self.device_reload[device])
        self.device_reload[device] = seq
        self.last_reload = max(self.last_reload, seq)
        self.check(body["device"] == device and body["widgets"], "RELOAD is", body)
        self.check(len(set(body["widgets"])) == len(body["widgets"]), "twice in one", body)
        kinds = set()
        for id in body["widgets"]:
            widget = self.widget(device, id)
            kinds |= self._reloaded(widget, session, seq, body, floors)
        self.check(set(body["kinds"]) <= kinds, f"{device}: kinds without a widget:", body)
        self.counts["reloads"] += 1

    def _reloaded(self, widget, session, seq, body, floors):
        versions = [v for v in widget.possible if v.kind.name in body["kinds"]]
        self.check(versions, f"RELOAD {seq} names {widget}, which has",
                   [v.config for v in widget.versions], body)
        values = body.get("values", {}).get(widget.id)
        reasons = []
        for version in versions:
            reason = self._no_cause(widget, version, values, session, floors)
            reasons.append(reason)
            if reason is None:
                self._take(widget, version, values, session, seq)
                return {v.kind.name for v in versions}
        raise Violation(f"RELOAD {seq} to {widget}: {'; '.join(reasons)} {body}")

    def _vector(self, version, values):
        if values is None:
            return None
        return {producer: values[field] for field, producer in version.kind.fields.items()}

    def _no_cause(self, widget, version, values, session, floors):
        """Why the widget should not have been named, or None."""
        if values is not None and set(values) != set(version.kind.fields):
            return f"values are {values}"
        vector = self._vector(version, values)
        for producer, number in (vector or {}).items():
            push = self.producers[producer].pushes.get(number)
            if push is None or push.is_bad:
                return f"push {number} of producer {producer} was never sent"
            if version.hero not in push.heroes(version.kind):
                return f"push {number} of producer {producer} is about {push.hero}"
            floor = floors.get(version, {}).get(producer, (0, 0.0))[0]
            if number < floor:
                return f"values of push {number} of {producer}; {floor} was acknowledged"
        if self._open_push(widget, version, vector, session) or widget.asks or widget.legacy:
            return None
        now = now_ms()
        if any(date.at - CLOCK_SLACK <= now for date in widget.dates):
            return None
        return f"without a cause; settled {dict(widget.settled)}, dates {widget.dates} at {now}"

    def _open_push(self, widget, version, vector, session):
        if vector is not None:
            seen = widget.seen[1] if widget.seen[0] is session else {}
            return any(number > max(widget.settled[producer], seen.get(producer, 0))
                       for producer, number in vector.items())
        for producer in version.kind.sources:
            sent = self.producers[producer].last_for
            last = sent["hero"].get(version.hero, 0)
            if version.kind.name == "flux":
                last = max(last, sent["alias"].get(version.hero, 0))
            if last > widget.settled[producer]:
                return True
        return False

    def _take(self, widget, version, values, session, seq):
        vector = self._vector(version, values)
        now = time.monotonic()
        if vector is None:
            widget.bare_time = now
        else:
            for producer, number in vector.items():
                widget.received[producer] = max(widget.received[producer], number)
            widget.seen = (session, vector)
        widget.reload = Reload(seq, now, now_ms(), vector, session)

    # Timelines.

    def answering(self, widget, date):
        """A TIMELINE is sent, with a date in ms or None; returns its order."""
        self.timelines += 1
        widget.timeline = self.timelines
        widget.reported = None
        if date is not None:
            widget.dates.append(Date(date, self.timelines))
        return self.timelines

    def answered(self, widget, reload, order, session, reported):
        """The TIMELINE was acknowledged; if no other RELOAD crossed it, this one is settled."""
        if widget.timeline == order:
            widget.reported = reported
        last = widget.reload
        if last is None or last.seq != reload or last.session is not session:
            now = now_ms()
            # Dates that had not come no longer apply; the others may have led to a RELOAD.
            widget.dates = [date for date in widget.dates
                            if date.order >= order or date.at <= now + CLOCK_SLACK]
            return
        widget.dates = [date for date in widget.dates if date.order >= order]
        for producer, number in (last.vector or {}).items():
            widget.settled[producer] = max(widget.settled[producer], number)
        now = time.monotonic()
        is_at_once = all(v.kind.is_at_once for v in widget.versions if v.kind)
        limit = now if is_at_once else last.time
        widget.asks = [ask for ask in widget.asks if ask.over >= limit]
        widget.legacy = [legacy for legacy in widget.legacy if legacy.over >= limit]
        widget.settlements += 1
        self.counts["settled"] += 1
        version = widget.certain
        if version and version.kind.name == "paid":
            self.check(widget.settlements <= UNITS,
                       f"{widget}: {widget.settlements} reloads of {UNITS} that it may have")

    # Requests.

    def asking(self, device, kinds):
        """A device asks for its widgets of these kinds; returns what is open until it is over."""
        asks = []
        for widget in self.of_device[device]:
            if any(version.kind.name in kinds for version in widget.possible):
                ask = Ask()
                widget.asks.append(ask)
                asks.append((widget, ask))
        return asks

    def asked(self, asks):
        for widget, ask in asks:
            ask.over = time.monotonic()
            version = widget.certain
            if version and version.certain_from < ask.sent:
                widget.must_ask = max(widget.must_ask, ask.sent)

    # What must have come.

    def owed(self, widget, owed=None):
        """What a widget that is known for sure still waits for, or None."""
        version = widget.certain
        if version is None:
            return None
        if version.kind.name == "paid" and self.spent(widget, version):
            return None
        for producer, (number, sent) in (version.owed if owed is None else owed).items():
            if widget.received[producer] < number and widget.bare_time < sent:
                return f"push {number} of producer {producer}; has {dict(widget.received)}"
        return None

    def spent(self, widget, version):
        """Whether the budget may be spent: there were as many pushes."""
        pushes = self.producers[0].pushes.values()
        return sum(not p.is_bad and p.hero == version.hero for p in pushes) > UNITS

    def unrest(self, widget):
        """What could still lead to a RELOAD, or None: for a time when nothing new is sent."""
        version = widget.certain
        if version is None or version.kind.name == "paid" and self.spent(widget, version):
            return None
        if widget.asks or widget.legacy or widget.dates:
            return f"{len(widget.asks)} requests, {len(widget.legacy)} changes, {widget.dates}"
        if version.kind.fields:
            for producer, (number, _) in version.owed.items():
                if widget.settled[producer] < number:
                    return f"the answer for push {number} of producer {producer}"
        return None

    def waits(self, widget):
        """The same with requests and dates, for a time when all devices are there."""
        version = widget.certain
        if version is None:
            return None
        if widget.must_ask and (widget.reload is None or widget.reload.time < widget.must_ask):
            return "its request"
        if widget.reported and now_ms() > widget.reported and (
                widget.reload is None or widget.reload.wall < widget.reported - CLOCK_SLACK):
            return f"its date {widget.reported}"
        return self.owed(widget)
