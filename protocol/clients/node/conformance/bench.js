// Pushes small payloads over one connection, and prints how long it took.
//
//     node bench.js HOST PORT APP TOKEN PRODUCER COUNT

import { Publisher } from '../index.js';

const [host, port, app, token, producer, count] = process.argv.slice(2);
const publisher = new Publisher({
  host, port: Number(port), app, token, producer, plaintext: true, outbox: process.env.OUTBOX,
});
await publisher.connect();
const begun = performance.now();
const used = process.cpuUsage();
for (let number = 0; number < Number(count); number += 1) {
  const payload = { event: 'healing-potion', character: `elf-${number % 1000}`, amount: 25 };
  if (publisher.tryPush(payload) === null) await publisher.push(payload);
}
await publisher.flush();
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ pushes: Number(count), seconds, cpuSeconds: (user + system) / 1e6 }));
publisher.close();
