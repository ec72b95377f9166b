// Speaks for one device, and prints and answers each RELOAD that comes for it. An app's backend would send a
// WidgetKit push to the device instead, and pass on the timeline that its app makes.
//
//     node gateway.js HOST PORT APP TOKEN
//
// It uses plain TCP.

import { Gateway } from '../index.js';

const [host, port, app, token] = process.argv.slice(2);
const gateway = new Gateway({ host, port: Number(port), app, token, plaintext: true });

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
