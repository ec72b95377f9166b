// Pushes its arguments: each a JSON object.
//
//     RELOAD_ADDRESS=localhost:7410 RELOAD_TOKEN=… node publish.js '{"event":"damage","character":"elf-42"}'
//
// RELOAD_CA is a PEM file of the authority of the router's certificate, if it is none of the system's;
// RELOAD_PLAINTEXT=1 asks for plain TCP.

import { readFileSync } from 'node:fs';
import { Publisher } from '../index.js';

const { RELOAD_ADDRESS: host = '', RELOAD_TOKEN: token, RELOAD_CA: ca, RELOAD_PLAINTEXT: plaintext } = process.env;
const publisher = new Publisher({
  host, token, app: 'com.mygame', producer: 'example', plaintext: plaintext === '1', ca: ca && readFileSync(ca),
});
publisher.on('disconnected', (error) => console.error(error.message));
publisher.on('rejected', (seq, error) => console.error(`push ${seq}: ${error.message}`));

await publisher.connect();
for (const payload of process.argv.slice(2)) await publisher.push(payload);
await publisher.flush();
console.log(publisher.statistics());
publisher.close();
