"""Devices of the crash harness whose signed tokens are revoked by an operator, and made good again.

A token has a number, which rises with its date of issue. Of each device is known before which number
its tokens are no good, 0 for none: one number once the router has answered, and several while it has
not, until a HELLO decides.

    revoke 7 ──► answered      revoke 9 ──► killed           HELLO with token 8 is refused
           {7} ──────────────────────► {7, 9} ──────────────────────► {9}
"""

import functools
import json
import time

from crash_model import Violation
from crash_wires import Peer, Wire
from support import APP, bearer
from test_tokens import signed
from wire import ERROR, WELCOME

# When token 0 was issued, and when all of them end, in s since 1970.
FIRST = int(time.time()) - 10 * 24 * 3_600
END = FIRST + 100 * 24 * 3_600


@functools.cache
def token(device, number):
    return signed(sub=device, iat=FIRST + number, exp=END)


class Revocations:
    """Before which number a device's tokens may be no good, by all that was sent and has come back."""

    def __init__(self, device):
        self.device = device
        self.possible = {0}
        # The command that is under way, as what it makes of each number.
        self._change = None

    def __repr__(self):
        return f"{self.device}: tokens before {sorted(self.possible)} are no good;"

    def check(self, condition, what):
        if not condition:
            raise Violation(f"{self} {what}")

    def revoking(self, number):
        """A command is sent that revokes the tokens before a number; it never takes anything back."""
        self._begin({old: max(old, number) for old in self.possible})

    def withdrawing(self):
        """A command is sent that takes all back."""
        self._begin(dict.fromkeys(self.possible, 0))

    def _begin(self, change):
        self._change = change
        self.possible = self.possible | set(change.values())

    def answered(self, number):
        """The command was carried out: tokens before this number are no good from now on."""
        self.check(number in self._change.values(), f"the answer is {number}")
        self.possible, self._change = {number}, None

    def had_none(self):
        """There was nothing to take back."""
        self.check(0 in self._change, "the answer is that none are revoked")
        self.possible, self._change = {0}, None

    def unanswered(self):
        """The command was carried out, or it was not."""
        self._change = None

    def judged(self, number, is_good):
        """A HELLO with a token was welcomed or refused, while no command was under way."""
        found = {before for before in self.possible if (number >= before) == is_good}
        self.check(found, f"token {number} is {'good' if is_good else 'refused'}")
        self.possible = found


class Command(Wire):
    """A request to the admin server."""

    def __init__(self, wires, address, peer, method, path, body):
        super().__init__(wires, address, peer)
        text = json.dumps(body) if body else ""
        fields = bearer() | {"Host": "localhost", "Content-Type": "application/json", "Content-Length": len(text)}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
        self._output += ("\r\n".join(lines) + "\r\n\r\n" + text).encode()

    def _parse(self):
        head, blank, body = bytes(self._input).partition(b"\r\n\r\n")
        lines = head.decode().lower().split("\r\n")
        count = next((int(line[15:]) for line in lines if line.startswith("content-length:")), 0)
        if blank and len(body) >= count:
            self._input.clear()
            self.peer.answered(int(lines[0].split()[1]), json.loads(body[:count] or b"{}"))


class Holder(Peer):
    """A device with signed tokens, and the operator who revokes them: one thing at a time."""

    def __init__(self, model, random, wires, name):
        super().__init__(model, random, wires)
        self.name = name
        self.tokens = Revocations(name)
        self.last = 0
        self.begin()

    def __repr__(self):
        return f"holder {self.name}"

    def begin(self):
        self.is_over = False
        self.is_command = False

    def names(self):
        return {"device": self.name, "token": token(self.name, self.number)}

    @property
    def is_quiet(self):
        return self.wire is None or self.is_over

    def _is_free(self):
        if self.is_over:
            self.close()
        return self.wire is None

    def probe(self, router):
        """Says HELLO with a token whose number is one of those that decide."""
        if self._is_free():
            before = self.random.choice(sorted(self.tokens.possible))
            self.number = max(1, before + self.random.choice([-1, -1, 0, 1]))
            self.connect(router.address)

    def command(self, router):
        """Lets the operator revoke tokens, or take back that they are."""
        if not self._is_free():
            return
        path = f"/v1/apps/{APP}/revocations/{self.name}"
        takes_back = self.random.random() < 0.15
        number = max(1, max(self.tokens.possible) + self.random.choice([-2, 1, 1, 2, 3]))
        body = None if takes_back else {"before": (FIRST + number) * 1_000}
        self.begin()
        try:
            self.wire = Command(
                self.wires, router.admin, self, "DELETE" if takes_back else "PUT", path, body)
        except OSError:
            return
        self.is_command = True
        if takes_back:
            self.tokens.withdrawing()
        else:
            self.tokens.revoking(number)
        self.model.note(self, "commands", 0 if takes_back else number)

    def act(self, router):
        self.random.choice([self.probe, self.command])(router)

    def answered(self, status, body):
        self.model.note(self, status, body)
        self.is_over = True
        if status == 200:
            self.tokens.answered(body.get("before", FIRST * 1_000) // 1_000 - FIRST)
            self.model.counts["revocations"] += 1
        elif body.get("code") == "device-unknown":
            self.tokens.had_none()
        else:
            self.model.check(status in (409, 503), f"{self}: {status} {body}")
            self.tokens.unanswered()

    def took(self, found):
        self.model.note(self, found)
        if self.is_over:
            return
        if found.type == WELCOME or found.type == ERROR and found.code == "token-revoked":
            self.is_over = True
            self.tokens.judged(self.number, found.type == WELCOME)
            self.model.counts["welcomed" if found.type == WELCOME else "refused"] += 1
        elif found.type == ERROR:
            raise Violation(f"{self}: {found}")

    def ended(self):
        super().ended()
        if self.is_command and not self.is_over:
            self.tokens.unanswered()
        self.begin()
