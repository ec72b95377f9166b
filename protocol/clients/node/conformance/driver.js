// Lets the conformance suite control a Publisher: reads a JSON object a line and prints a JSON object a line.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Publisher, RouterError } from '../index.js';

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const read = (path) => (path ? readFileSync(path) : undefined);

function connect(command) {
  const { silent, waitMs, outcomes } = command;
  const [firstPause, longestPause] = command.backoffMs ?? [];
  const publisher = new Publisher({
    host: command.host,
    port: command.port,
    app: command.app,
    token: command.token,
    producer: command.producer,
    outcomes,
    queueCount: command.queue,
    outbox: command.outbox,
    plaintext: !command.ca,
    ca: read(command.ca),
    cert: read(command.certificate),
    key: read(command.key),
    pingAfter: command.pingMs,
    lostAfter: command.timeoutMs,
    connectTimeout: command.timeoutMs,
    httpAddress: command.httpAddress,
    welcomeTimeout: command.timeoutMs,
    firstPause,
    longestPause,
  });
  if (!silent) listen(publisher);
  publisher.connect(waitMs).catch((error) => {
    if (waitMs !== undefined) say({ error: error.message }); // Otherwise `failed` has said it.
  });
  return publisher;
}

function listen(publisher) {
  publisher.on('connected', ({ lastSeq }) => say({ event: 'connected', lastSeq }));
  publisher.on('disconnected', ({ code, retry }) => say({ event: 'disconnected', code, retry }));
  publisher.on('rejected', (seq, { code }) => say({ event: 'rejected', seq, code }));
  publisher.on('lost', ({ from, through }) => say({ event: 'lost', from, through }));
  publisher.on('outcome', (seq, outcome) => say({ event: 'outcome', seq, outcome }));
  publisher.on('failed', ({ code }) => say({ event: 'failed', code }));
}

async function answer(publisher, { do: command, payload, timeoutMs, ...options }) {
  switch (command) {
    case 'history':
      try {
        return { history: await publisher.history(options.seq, options.after) };
      } catch (error) {
        if (!(error instanceof RouterError)) throw error;
        return { refused: { code: error.code, retry: error.retry } };
      }
    case 'push':
      return { pushed: await publisher.push(payload, options) };
    case 'tryPush': {
      const seq = publisher.tryPush(payload, options);
      return seq === null ? { full: true } : { pushed: seq };
    }
    case 'flush':
      return { flushed: await publisher.flush(timeoutMs).catch(() => false) };
    case 'statistics':
      return { statistics: publisher.statistics() };
    case 'close':
      publisher.close();
      return { closed: true };
  }
  throw new Error(`"${command}" is no command`);
}

let publisher;
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const command = JSON.parse(line);
    if (command.do === 'connect') publisher = connect(command);
    else say(await answer(publisher, command));
    if (command.do === 'close') break;
  } catch (error) {
    say({ error: error.message });
  }
}
publisher?.close();
process.stdin.destroy();
