import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Publisher } from '../index.js';
import { Type, encode } from '../lib/frames.js';
import { Outbox } from '../lib/outbox.js';
import { Stage, WELCOME } from './stage.js';

function publisherOf(t, options) {
  const publisher = new Publisher(options);
  t.after(() => publisher.close());
  return publisher;
}

function fileIn(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'outbox-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  return path.join(folder, 'outbox');
}

test('a limit of connecting is a time, and one that is too long for a timer is none', async (t) => {
  const stage = await Stage.begin(t);
  const publisher = publisherOf(t, stage.options);
  for (const limit of [NaN, -1, -Infinity]) await assert.rejects(publisher.connect(limit), RangeError);
  const accepted = stage.accept();
  const waiting = [2 ** 31 - 1, 2 ** 31, 1e300, Infinity].map((limit) => publisher.connect(limit));
  const router = await accepted;
  await router.receive();
  await assert.rejects(publisher.connect(20), { code: 'not-connected' });
  router.send(Type.WELCOME, 0, WELCOME);
  await Promise.all(waiting);
});

test('payloads are objects, or JSON already', async (t) => {
  const stage = await Stage.begin(t);
  const publisher = publisherOf(t, stage.options);
  const [router] = await stage.open(publisher);
  const long = { text: 'ö🐉'.repeat(10_000) };
  for (const payload of [{ n: 1 }, '{"n":1}', Buffer.from('{"n":1}')]) publisher.tryPush(payload);
  publisher.tryPush(long);
  for (const payload of [{ n: 1 }, { n: 1 }, { n: 1 }, long]) assert.deepEqual((await router.push())[1], payload);
  assert.throws(() => publisher.tryPush(undefined), TypeError);
  assert.throws(() => publisher.tryPush({ text: 'x'.repeat(65_536) }), { code: 'frame-length' });
  assert.equal(publisher.tryPush({}), 5, 'a refused push uses no number');
});

test('an outbox is written anew when most of it is settled', (t) => {
  const file = fileIn(t);
  let outbox = new Outbox(file, 'a', 'p');
  outbox.load();
  const large = encode(Type.PUSH, 1, Buffer.alloc(16 * 1024 * 1024));
  const frame = encode(Type.PUSH, 2, '{}');
  outbox.append(large);
  outbox.append(frame);
  outbox.settle([{ seq: 2, frame }], 1, frame.length);
  assert.ok(fs.statSync(file).size < 1000);
  outbox.close();
  outbox = new Outbox(file, 'a', 'p');
  assert.deepEqual(outbox.load(), [{ seq: 2, frame }]);
  outbox.close();
});
