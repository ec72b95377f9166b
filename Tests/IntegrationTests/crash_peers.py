"""Publishers, devices and gateways of the crash harness, which live through kills."""

import collections
import json
import struct
import time

from crash_model import Violation
from crash_wires import Peer
from crash_world import HEROES, KINDS, PAYERS, USUAL
from wire import (ACK, EXPIRES, PUSH, REJECT, RELOAD, REQUEST, SCHEDULED, STATE,
                  TIMELINE, URGENT, WIDGETS, now_ms)

FAR = 3_600_000


class Publisher(Peer):
    """A producer: sends again what was not acknowledged, with the numbers that it had."""

    role = "publisher"

    def __init__(self, model, random, wires, producer):
        super().__init__(model, random, wires)
        self.producer = producer
        self.window = 16
        self.begin()

    def __repr__(self):
        return f"producer-{self.producer.number}"

    def names(self):
        return {"producer": f"shard-{self.producer.number}"}

    def begin(self):
        # What the router accepts during this session, by number.
        self.fresh = collections.deque()
        self.last_sent = 0

    def welcomed(self, body):
        self.last_sent = body["lastSeq"]
        again = self.model.welcomed(self.producer, body["lastSeq"])
        for number in range(max(1, body["lastSeq"] - self.random.randint(0, 20)),
                            body["lastSeq"] + 1):
            push = self.producer.pushes.get(number)
            if push and self.random.random() < 0.5:
                self._send(push)
        for push in again:
            self._send(push)
            self.fresh.append(push)

    def _send(self, push):
        flags, body = 0, push.payload
        if not isinstance(body, bytes):
            body = json.dumps(body, separators=(",", ":")).encode()
        if push.void_at is not None:
            flags, body = EXPIRES, struct.pack(">Q", push.void_at) + body
        if push.seq % 7 == 0:
            flags |= URGENT
        self.last_sent = max(self.last_sent, push.seq)
        self.wire.send(PUSH, push.seq, body, flags=flags)
        self.model.note(self, "pushes", repr(push))

    def push(self, hero=None, alias=None, is_plain=False):
        """Sends a new push, if the window has room."""
        if not self.is_welcome or len(self.fresh) >= self.window:
            return False
        chance = 1.0 if is_plain else self.random.random()
        hero = hero or (self.random.choice(PAYERS) if self.random.random() < 0.03
                        else self.random.choice(HEROES))
        alias = alias or self.random.choice(HEROES)
        void_at = None
        if chance < 0.05:
            void_at = now_ms() + self.random.choice([-1_000, 2, 50, FAR, FAR])
        seq = self.producer.last + (1 if chance > 0.1 else self.random.randint(1, 5))
        push = self.producer.new(seq, hero, alias, void_at=void_at, is_bad=0.05 < chance < 0.07)
        self._send(push)
        self.fresh.append(push)
        return True

    @property
    def is_quiet(self):
        return self.is_welcome and not self.fresh

    def ack(self, found):
        check = self.model.check
        check(found.seq <= self.last_sent, f"{self}: {found}; sent {self.last_sent}")
        least = most = 0
        while self.fresh and self.fresh[0].seq <= found.seq:
            push = self.fresh.popleft()
            check(not push.is_bad or push.is_rejected, f"{self}: {found} passes a bad push")
            sure, perhaps = self.model.accepted(push)
            least, most = least + sure, most + perhaps
        check(least <= found.matched <= most,
              f"{self}: ACK {found.seq} counts {found.matched} widgets, not {least} to {most}")
        self.producer.acked = max(self.producer.acked, found.seq)
        self.model.counts["acks"] += 1

    def reject(self, found):
        push = self.producer.pushes.get(found.seq)
        self.model.check(push and push.is_bad and found.code == "payload-not-object",
                         f"{self}: {found}")
        push.is_rejected = True
        # Nobody acknowledges a rejected push that none comes after.
        while self.fresh and self.fresh[-1].is_rejected:
            self.fresh.pop()

    takes = {ACK: ack, REJECT: reject}


class Host(Peer):
    """A device, or a gateway with several: registers, answers, asks, and changes its widgets."""

    def __init__(self, model, random, wires, devices, role="device", kinds=USUAL):
        super().__init__(model, random, wires)
        self.devices, self.role, self.kinds = devices, role, kinds
        # The last list that was sent, by device.
        self.lists = {}
        self.requests = collections.Counter()
        self.is_settling = False
        self.begin()

    def __repr__(self):
        return f"{self.role} {self.devices[0]}"

    def names(self):
        return {"device": self.devices[0]} if self.role == "device" else {}

    def begin(self):
        self.seq = 0
        self.open = collections.deque()
        self.scheduled = {}
        self.listed = set()
        # Devices that the router knows to be here.
        self.bound = set()
        self.is_there = False
        self.last_of_begin = 0
        self.floors = {
            widget.certain: dict(widget.certain.owed)
            for device in self.devices for widget in self.model.of_device[device]
            if widget.certain}

    def ended(self):
        super().ended()
        self.is_there = False
        now = time.monotonic()
        for _, kind, *rest in self.open:
            if kind == "ask":
                for _, ask in rest[0]:
                    ask.over = now
        # What an older configuration is owed is not over: a WIDGETS that had no ACK is sent again, and
        # until it has one, pushes meet either configuration.
        self.open.clear()

    def _send(self, type, body, kind, *rest):
        self.seq += self.random.choice([1, 1, 1, 4])
        self.wire.send(type, self.seq, body)
        self.bound.add(body["device"])
        self.open.append((self.seq, kind, *rest))
        self.model.note(self, "sends", hex(type), self.seq, body)

    @property
    def is_quiet(self):
        return self.is_there and not self.open

    # A session's begin.

    def welcomed(self, body):
        if self.role == "device":
            self.bound.add(self.devices[0])
        for device in self.devices:
            is_known = all(not w.versions or w.versions[-1].certain_from is not None
                           for w in self.model.of_device[device])
            certain = [w for w in self.model.of_device[device] if w.certain]
            if not is_known or not certain or self.random.random() < 0.3:
                # A device that does not know what the router has stored registers again.
                self.register(device, is_same=self.random.random() < 0.7)
            else:
                self._send(STATE, {"device": device}, "state")
        # Everything that is owed comes in front of this frame's ACK.
        self.last_of_begin = self.seq

    def _has_begun(self):
        # A gateway's devices are all bound: its frames were taken in their order.
        self.is_there = True
        for version, owed in self.floors.items():
            if version.kind.is_at_once and version.is_certain:
                missing = self.model.owed(version.widget, owed)
                self.model.check(not missing, f"{version.widget} was not reloaded for {missing}")

    # What devices send.

    def register(self, device, is_same=False):
        listed = self.lists.get(device)
        if listed is None or not is_same and self.kinds is USUAL:
            listed = self._changed(listed or {})
        self.lists[device] = listed
        self.listed.add(device)
        configs = []
        for id, (kind, hero) in listed.items():
            shown = {"hero": hero}
            if not KINDS[kind].has_rule:
                shown["from"] = KINDS[kind].sources[0]
            configs.append({"id": id, "kind": kind, "configuration": shown})
        versions = self.model.registering(device, listed)
        self._send(WIDGETS, {"device": device, "widgets": configs}, "widgets", versions)

    def _changed(self, listed):
        """Makes another list, never an empty one: some widgets stay, change, disappear or are new."""
        if self.kinds is not USUAL:
            return {"w0": (self.kinds[0], self.random.choice(PAYERS))}
        found = {id: config for id, config in listed.items() if self.random.random() < 0.85}
        for id in list(found):
            if self.random.random() < 0.15:
                found[id] = self._any_config()
        while len(found) < 2 or len(found) < 6 and self.random.random() < 0.4:
            found[f"w{self.random.randrange(6)}"] = self._any_config()
        return found

    def _any_config(self):
        return (self.random.choice(self.kinds), self.random.choice(HEROES))

    def act(self):
        """Does at random one of the things that devices do."""
        if not self.is_there:
            return
        device = self.random.choice(self.devices)
        if device not in self.bound:
            return
        chance = self.random.random()
        if chance < 0.35 and self.kinds is USUAL:
            self.register(device)
        elif chance < 0.5 and self.kinds is USUAL:
            self.ask(device)
        elif chance < 0.6 and self.kinds is USUAL:
            self._send(STATE, {"device": device, "foreground": self.random.random() < 0.3},
                       "state")
        elif chance < 0.9:
            self.show(device)

    def may_ask(self, device):
        """Whether the device asks for a reload at once: the third time would be taken for a loop, and wait."""
        self.requests[device] += 1
        return self.requests[device] <= 2

    def ask(self, device):
        if not self.may_ask(device):
            return
        if self.random.random() < 0.5:
            kind = self.random.choice([None, self.random.choice(USUAL)])
            asks = self.model.asking(device, [kind] if kind else USUAL)
            body = {"device": device} | ({"kind": kind} if kind else {})
            self._send(REQUEST, body, "ask", asks)
        else:
            kinds = [name for name in USUAL if KINDS[name].policy.get("usesLocation")]
            asks = self.model.asking(device, kinds)
            self._send(STATE, {"device": device, "location": "significant-change"}, "ask", asks)

    def show(self, device):
        """Sends a timeline that answers no RELOAD."""
        known = [w for w in self.model.of_device[device]
                 if w.certain and w.id in self.lists[device]]
        if known:
            self._timeline(self.random.choice(known), None)

    def _timeline(self, widget, reload):
        # A date would cost a payer's budget, and is no push.
        is_plain = self.is_settling or self.kinds is not USUAL
        chance = 0.0 if is_plain else self.random.random()
        policy, date = "never", None
        now = now_ms()
        entries = [now]
        if chance > 0.95:
            date = now + FAR
            policy = {"after": date}
        elif chance > 0.8:
            # A date within five seconds asks for a reload at once.
            soon = (-50, 400) if self.may_ask(widget.device) else (5_100, 6_000)
            date = now + self.random.randint(*soon)
            policy = {"after": date}
        elif chance > 0.7 and self.may_ask(widget.device):
            policy, date = "atEnd", now
            entries = [now, now + 10] if self.random.random() < 0.5 else []
        order = self.model.answering(widget, date)
        body = {"device": widget.device, "widget": widget.id, "entries": entries,
                "policy": policy}
        if reload:
            body["reload"] = reload
        self._send(TIMELINE, body, "timeline", widget, reload, order, policy != "never")

    def quieten(self, device):
        """Takes back all dates, for a time of rest."""
        for widget in self.model.of_device[device]:
            if widget.certain and widget.dates:
                last = widget.reload
                is_here = last is not None and last.session is self.wire
                self._timeline(widget, last.seq if is_here else None)

    # What devices hear.

    def reload(self, found):
        body = found.json
        device = body["device"]
        self.model.check(device in self.bound, f"{self}: {found} for a device that is not here")
        self.model.reloaded(device, self.wire, found.seq, body, self.floors)
        for id in body["widgets"]:
            is_listed = device not in self.listed or id in self.lists[device]
            if is_listed and (self.is_settling or self.random.random() < 0.6):
                self._timeline(self.model.widget(device, id), found.seq)

    def schedule(self, found):
        self.scheduled[found.seq] = found.json["reloadAt"]

    def ack(self, found):
        self.model.check(found.seq <= self.seq, f"{self}: {found}; sent {self.seq}")
        while self.open and self.open[0][0] <= found.seq:
            seq, kind, *rest = self.open.popleft()
            if kind == "widgets":
                self.model.registered(*rest)
            elif kind == "ask":
                self.model.asked(*rest)
            elif kind == "timeline":
                widget, reload, order, is_dated = rest
                reported = self.scheduled.pop(seq, None)
                self.model.check((reported is not None) == is_dated,
                                 f"{self}: SCHEDULED of TIMELINE {seq} is {reported}")
                self.model.answered(widget, reload, order, self.wire, reported)
        self.model.counts["frames"] += 1
        if not self.is_there and found.seq >= self.last_of_begin:
            self._has_begun()

    def reject(self, found):
        raise Violation(f"{self}: {found}; it waits for {list(self.open)[:3]}")

    takes = {RELOAD: reload, ACK: ack, REJECT: reject, SCHEDULED: schedule}
