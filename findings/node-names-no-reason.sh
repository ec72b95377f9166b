#!/usr/bin/env bash
# Node.js 20: a name that has several addresses, none of which can be connected to, is an AggregateError whose `message` is
# empty; the reasons are in `errors`. With one address the message has the reason. Since version 20 connecting tries all
# addresses (autoSelectFamily), and most names of loopback have two (::1 and 127.0.0.1): so a log of `error.message` is
# empty exactly for the most frequent mistake, a wrong port at localhost. `lookup` here gives two addresses of loopback, so
# that the machine's own names do not matter.
# Expected: class, message, code and reasons.
set -euo pipefail
command -v node >/dev/null || { echo "needs Node.js 20" && exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/connect.mjs" <<'END'
import net from 'node:net';
const addresses = [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }];
for (const count of [1, 2]) {
  const lookup = (name, options, found) => found(null, addresses.slice(0, count));
  const socket = net.connect({ host: 'router.example', port: 1, lookup });
  await new Promise((resolve) => socket.on('error', (error) => {
    console.log(count, error.constructor.name, JSON.stringify(error.message), error.code, JSON.stringify(error.errors?.map(({ message }) => message)));
    resolve();
  }));
}
END
{ node --version | cut -d. -f1; node "$folder/connect.mjs"; } | tee "$folder/found"
diff "$folder/found" - <<'END'
v20
1 Error "connect ECONNREFUSED 127.0.0.1:1" ECONNREFUSED undefined
2 AggregateError "" ECONNREFUSED ["connect ECONNREFUSED 127.0.0.1:1","connect ECONNREFUSED 127.0.0.2:1"]
END
