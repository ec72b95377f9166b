"""The program by which the conformance suite controls this client: JSON lines in, JSON lines out."""

from __future__ import annotations

import json
import pathlib
import sys
import threading
from dataclasses import asdict
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "src"))

from reloadrouter import Event, Limits, OutboxError, Publisher, RouterError

writing = threading.Lock()


def say(message: dict[str, Any]) -> None:
    with writing:
        print(json.dumps(message), flush=True)


def report(event: Event) -> None:
    members: dict[str, dict[str, Any]] = {
        "connected": {"lastSeq": event.last_seq},
        "disconnected": {"code": event.code, "retry": event.retry},
        "rejected": {"seq": event.seq, "code": event.code},
        "lost": {"from": event.seq, "through": event.through},
        "outcome": {"seq": event.seq, "outcome": event.outcome},
        "failed": {"code": event.code},
    }
    say({"event": event.name, **members[event.name]})


def publisher_for(command: dict[str, Any]) -> Publisher:
    first, longest = (milliseconds / 1000 for milliseconds in command["backoffMs"])
    times = {"first_pause": first, "longest_pause": longest}
    if "pingMs" in command:
        times["ping_after"] = command["pingMs"] / 1000
    if "timeoutMs" in command:
        times["silence"] = times["connect_timeout"] = command["timeoutMs"] / 1000
    return Publisher(
        command["host"],
        command["port"],
        app=command["app"],
        producer=command["producer"],
        outcomes=command.get("outcomes", False),
        token=command["token"],
        tls=command["ca"] is not None,
        ca_file=command["ca"],
        certificate=command["certificate"],
        key=command["key"],
        outbox=command["outbox"],
        http_address=command.get("httpAddress"),
        limits=Limits(queue=command["queue"], **times),
        on_event=None if command.get("silent") else report,
    )


def perform(publisher: Publisher, command: dict[str, Any]) -> dict[str, Any]:
    if command["do"] in ("push", "tryPush"):
        push = publisher.push if command["do"] == "push" else publisher.try_push
        try:
            seq = push(
                command["payload"],
                urgent=command.get("urgent", False),
                expires_at=command.get("expiresAt"),
                kinds=command.get("kinds"),
            )
        except (ValueError, RouterError) as error:
            return {"error": str(error)}
        return {"full": True} if seq is None else {"pushed": seq}
    if command["do"] == "flush":
        return {"flushed": publisher.flush(command["timeoutMs"] / 1000)}
    if command["do"] == "history":
        try:
            return {"history": publisher.history(command["seq"], after=command.get("after"))}
        except RouterError as error:
            return {"refused": {"code": error.code, "retry": error.retry}}
        except ValueError as error:
            return {"error": str(error)}
    if command["do"] == "statistics":
        return {"statistics": asdict(publisher.statistics())}
    publisher.close(timeout=0.5)
    return {"closed": True}


def main() -> None:
    publisher = None
    for line in sys.stdin:
        command = json.loads(line)
        if command["do"] == "connect":
            try:
                publisher = publisher_for(command)
                publisher.connect(timeout=command.get("waitMs", 0) / 1000)
            except TimeoutError as error:  # It keeps trying.
                if "waitMs" in command:
                    say({"error": str(error)})
            except (ValueError, OutboxError) as error:
                say({"error": str(error)})
        elif publisher is not None:
            answer = perform(publisher, command)
            say(answer)
            if "closed" in answer:
                return


main()
