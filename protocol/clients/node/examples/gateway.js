// Speaks for one device, and prints and answers each RELOAD that comes for it. An app's backend would send a
// WidgetKit push to the device instead, and pass on the timeline that its app makes.
//
//     RELOAD_ADDRESS=localhost:7410 RELOAD_TOKEN=… node gateway.js
//
// RELOAD_CA is a PEM file of the authority of the router's certificate, if it is none of the system's;
// RELOAD_PLAINTEXT=1 asks for plain TCP.

import { readFileSync } from 'node:fs';
import { Gateway } from '../index.js';

const { RELOAD_ADDRESS: host = '', RELOAD_TOKEN: token, RELOAD_CA: ca, RELOAD_PLAINTEXT: plaintext } = process.env;
const gateway = new Gateway({
  host, token, app: 'com.mygame', plaintext: plaintext === '1', ca: ca && readFileSync(ca),
});

async function answer({ seq, device, widgets }) {
  for (const widget of widgets) {
    console.log(device, widget);
    await gateway.timeline({ device, widget, reload: seq, policy: 'never' });
  }
}

gateway.on('reload', (reload) => answer(reload).catch((error) => console.error(error.message)));
gateway.on('disconnected', (error) => console.error(error.message));
await gateway.connect();
const configuration = { character: 'elf-42' };
await gateway.widgets({ device: 'd-1', widgets: [{ id: 'w1', kind: 'com.mygame.character-detail', configuration }] });
console.log('registered');
