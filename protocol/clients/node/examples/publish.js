// Pushes its arguments: each a JSON object.
//
//     node publish.js localhost 7410 com.mygame '{"event":"damage","character":"elf-42"}'
//
// TOKEN is a publisher's token, and CA a PEM file of the authority of the router's certificate. Without CA,
// the connection is plain TCP.

import { readFileSync } from 'node:fs';
import { Publisher } from '../index.js';

const [host, port, app, ...payloads] = process.argv.slice(2);
const { TOKEN: token, CA: ca } = process.env;
const publisher = new Publisher({
  host, port: Number(port), app, token, producer: 'example', plaintext: !ca, ca: ca && readFileSync(ca),
});
publisher.on('disconnected', (error) => console.error(error.message));
publisher.on('rejected', (seq, error) => console.error(`push ${seq}: ${error.message}`));

await publisher.connect();
for (const payload of payloads) await publisher.push(payload);
await publisher.flush();
console.log(publisher.statistics());
publisher.close();
