"""How a router and the tools treat a store, and whether that is allowed."""

import re
import select
import signal
import subprocess
import time

from support import PATIENCE, binary, clean_environment

#: How long a program may take before it counts as hanging, in s.
TIMEOUT = 20 * PATIENCE
# Exit codes of a shell for a process that ended by a signal.
SIGNALS = range(128, 160)
REFUSAL = re.compile(r"(store-(?:corrupt|gap|older|newer|locked|missing|unusable|replaced|full|io)): (\S.{15,})")
# What a sentence names: a path, a file, or a position.
PLACE = re.compile(r"/\w|\b(?:record|records|position|byte|checkpoint|segment) \d|[A-Z]{4,}|\.\w{3}\b")


class Ended:
    """How a process ended, and what it printed."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err
        self.refusal = REFUSAL.search(err)

    @property
    def is_accepted(self):
        return self.code == 0

    @property
    def position(self):
        """The last position that it printed."""
        found = re.findall(r"(?:to position |\"position\":\")(\d+)", self.out + self.err)
        return int(found[-1]) if found else None

    def faults(self, name):
        """The violations that no store excuses."""
        if self.code is None:
            yield f"{name} does not end"
        elif self.code < 0 or self.code in SIGNALS:
            yield f"{name} ends by a signal ({self.code})"
        elif self.code != 0 and not self.refusal:
            yield f"{name} refuses without a code and a sentence"
        elif self.code != 0 and not PLACE.search(self.refusal[2]):
            yield f"{name} refuses without naming a file or a position"
        if "Fatal error" in self.err:
            yield f"{name} traps"


class Served(Ended):
    """How a router ended, and what it knew."""

    devices, producers = frozenset(), {}

    @property
    def warned(self):
        return "was incomplete and was cut off" in self.err


def run_tool(name, store, *arguments):
    process = [binary(), "store", name, "--store", str(store), *arguments]
    try:
        ended = subprocess.run(process, capture_output=True, text=True, errors="replace",
                               timeout=TIMEOUT, env=clean_environment())
    except subprocess.TimeoutExpired as late:
        return Ended(None, "", str(late.stderr))
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def serve(store, apps, ask, *flags):
    """Starts a router on the store; if it comes to listen, asks what it knows, and drains it.

    `ask` is called with the address of its admin server, and returns devices and producers.
    """
    log = store.with_name(store.name + ".log")
    with open(log, "wb") as err:
        process = subprocess.Popen(
            [binary(), "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--apps",
             str(apps), "--store", str(store), *flags],
            stdout=subprocess.PIPE, stderr=err, stdin=subprocess.DEVNULL, env=clean_environment())
    out, found, code = b"", None, None
    deadline = time.monotonic() + TIMEOUT
    try:
        while time.monotonic() < deadline:
            if select.select([process.stdout], [], [], 0.5)[0]:
                data = process.stdout.read1(4_096)
                out += data
                if not data:
                    break
            address = re.search(rb"admin on (\S+):(\d+)\n", out)
            if address and b"listening on" in out and found is None:
                found = ask((address[1].decode(), int(address[2])))
                process.send_signal(signal.SIGTERM)
        code = process.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    served = Served(code, out.decode(errors="replace"), log.read_text(errors="replace"))
    if found:
        served.devices, served.producers = found
    return served


def contents(folder):
    """The bytes of all files of a folder, by path, but for RocksDB's own log."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and path.name != "LOG" and not path.name.startswith("LOG.old")}


def changes(before, after):
    """What happened to the files that were there, as words."""
    for path, data in before.items():
        if path not in after:
            if data == b"" and path.endswith(".log"):
                # RocksDB's, of an opening that has failed: nothing stands in it.
                continue
            yield f"{path} is gone"
        elif after[path] != data:
            yield f"{path} is changed"


class Judge:
    """Compares what was found with what the pattern's store holds."""

    def __init__(self, pattern, damage):
        self.pattern, self.damage = pattern, damage
        self.name, _, rest = damage.partition(":")
        self.paths = rest.split(":")

    def faults_of_state(self, served, position):
        """What is wrong with a state that was accepted, or kept, up to a position."""
        if position is None:
            yield "the position is not said"
            return
        if position > self.pattern.last:
            # A further file of the journal may be a record that was there before.
            yield f"position {position} of {self.pattern.last}: more than there ever was"
            return
        expected = self.pattern.states.get(position)
        if position < self.pattern.sealed:
            yield f"an older state: position {position}, and {self.pattern.sealed} was sealed"
        elif expected is None:
            yield f"no state at position {position}"
        elif served is not None and (served.devices, served.producers) != expected:
            yield f"another state than that of position {position}"

    def faults_of_loss(self, served, position):
        """What is wrong with an end that is missing."""
        if position is None or position >= self.pattern.last or position < self.pattern.sealed:
            return
        lost = f"position {position} of {self.pattern.last}"
        if self.pattern.is_ended:
            yield f"a loss before the position at which its router had ended: {lost}"
        elif position < self.pattern.noted:
            yield f"a loss before the position that its router had noted: {lost}"
        elif self.name.partition("-")[0] in ("remove", "older", "exchange", "extra"):
            yield f"the loss of a file that is not noticed: {lost}"
        elif self.paths[0] != self.pattern.last_journal:
            yield f"a loss in the midst: {lost}"
        elif not self._is_at_end(position):
            yield f"acknowledged records after the damage, which count as a torn end: {lost}"
        elif not served.warned and self.name != "truncate":
            yield f"a loss without a warning: {lost}"

    def _is_at_end(self, position):
        """Whether a crash might have left that: nothing of the file is whole after the damage."""
        if self.name == "truncate" or position >= self.pattern.last - 1:
            return True
        if self.name in ("zero", "delete", "insert", "repeat"):
            offset, count = int(self.paths[1]), int(self.paths[2])
            return offset + count >= self.pattern.files[self.paths[0]] - 32
        return False
