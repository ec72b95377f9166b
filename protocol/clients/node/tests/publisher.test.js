import assert from 'node:assert/strict';
import { once } from 'node:events';
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

test('pushes above lastSeq are sent again after a cut', async (t) => {
  const stage = await Stage.begin(t);
  const publisher = publisherOf(t, stage.options);
  let [router, hello] = await stage.open(publisher);
  assert.deepEqual(hello, {
    v: 1, role: 'publisher', app: 'com.mygame', token: 't', producer: 'shard-7', acked: 0,
  });
  for (let n = 1; n <= 5; n += 1) {
    assert.equal(await publisher.push({ n }), n);
    assert.deepEqual(await router.push(), [n, { n }]);
  }
  const rejected = once(publisher, 'rejected');
  router.send(Type.REJECT, 2, { code: 'payload-combinations', retry: 'no', message: '' });
  const [seq, error] = await rejected;
  assert.deepEqual([seq, error.code, error.retry], [2, 'payload-combinations', 'no']);
  [router, hello] = await stage.reopen(router, { ...WELCOME, lastSeq: 3, rejected: [{ seq: 4, code: 'x' }] });
  assert.equal(hello.acked, 0);
  assert.deepEqual(await router.push(), [5, { n: 5 }]);
  router.ack(5);
  assert.equal(await publisher.flush(), true);
  assert.deepEqual(publisher.statistics(),
    { queued: 0, sent: 6, acknowledged: 3, rejected: 2, matched: 1, reconnects: 1 });
});

test('the number of a rejection of an earlier run is not used', async (t) => {
  const stage = await Stage.begin(t);
  const publisher = publisherOf(t, stage.options);
  const rejected = [{ seq: 1, code: 'x' }, { seq: 3, code: 'x' }];
  await stage.open(publisher, { ...WELCOME, lastSeq: 2, rejected });
  assert.equal(await publisher.push({}), 4);
  assert.equal(publisher.statistics().rejected, 0);
});

test('push waits for room, and tryPush does not', async (t) => {
  const stage = await Stage.begin(t);
  const publisher = publisherOf(t, { ...stage.options, queueCount: 2 });
  assert.equal(publisher.tryPush({}), null);
  const [router] = await stage.open(publisher);
  assert.deepEqual([publisher.tryPush({}), publisher.tryPush({}), publisher.tryPush({})], [1, 2, null]);
  const third = publisher.push({});
  const flushed = publisher.flush();
  assert.equal(await publisher.flush(10), false);
  await router.push();
  router.ack(1);
  assert.equal(await third, 3);
  await router.push();
  await router.push();
  router.ack(3);
  assert.equal(await flushed, true);
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

test('a fatal ERROR ends what waits', async (t) => {
  const stage = await Stage.begin(t);
  const publisher = publisherOf(t, { ...stage.options, queueCount: 1 });
  const [router] = await stage.open(publisher);
  publisher.tryPush({});
  const waiting = [publisher.push({}), publisher.flush()];
  const failed = once(publisher, 'failed');
  router.send(Type.ERROR, 0, { code: 'token-revoked', retry: 'no', message: 'a sentence' });
  assert.equal((await failed)[0].code, 'token-revoked');
  for (const promise of waiting) await assert.rejects(promise, { code: 'token-revoked' });
  await assert.rejects(publisher.push({}), { code: 'token-revoked' });
  await assert.rejects(publisher.connect(), { code: 'token-revoked' });
});

test('an ERROR is read although the connection is reset and a write has failed', async (t) => {
  const stage = await Stage.begin(t);
  const publisher = publisherOf(t, stage.options);
  const [router] = await stage.open(publisher);
  const failed = once(publisher, 'failed');
  router.send(Type.ERROR, 0, { code: 'token-revoked', retry: 'no', message: 'a sentence' });
  router.socket.resetAndDestroy();
  // So much is written at once, before the event loop reads.
  for (let n = 0; n < 50; n += 1) publisher.tryPush({ text: 'x'.repeat(2000) });
  assert.equal((await failed)[0].code, 'token-revoked');
});

test('a lower maxBody of the next session rejects what waits', async (t) => {
  const stage = await Stage.begin(t);
  const publisher = publisherOf(t, stage.options);
  const [router] = await stage.open(publisher);
  publisher.tryPush({ text: 'x'.repeat(200) });
  const rejected = once(publisher, 'rejected');
  await stage.reopen(router, { ...WELCOME, maxBody: 100 });
  const [seq, error] = await rejected;
  assert.deepEqual([seq, error.code], [1, 'frame-length']);
  assert.equal(await publisher.flush(), true);
});

test('outcomes are events', async (t) => {
  const stage = await Stage.begin(t);
  const publisher = publisherOf(t, { ...stage.options, outcomes: true });
  const [router, hello] = await stage.open(publisher);
  assert.equal(hello.outcomes, true);
  publisher.tryPush({});
  await router.push();
  const outcome = once(publisher, 'outcome');
  router.send(Type.OUTCOME, 1, { matched: 1, counts: { sent: 1 }, widgets: [] });
  assert.deepEqual(await outcome, [1, { matched: 1, counts: { sent: 1 }, widgets: [] }]);
});

test('an outbox outlives its publisher', async (t) => {
  const stage = await Stage.begin(t);
  const options = { ...stage.options, outbox: fileIn(t) };
  let publisher = publisherOf(t, options);
  let [router, hello] = await stage.open(publisher);
  for (let n = 1; n <= 3; n += 1) {
    await publisher.push({ n });
    await router.push();
  }
  publisher.close();
  fs.appendFileSync(options.outbox, Buffer.of(0, 0, 0, 50, Type.PUSH)); // A push that was cut off.

  publisher = publisherOf(t, options);
  [router, hello] = await stage.open(publisher, { ...WELCOME, lastSeq: 1 });
  assert.equal(hello.acked, 0);
  assert.deepEqual(await router.push(), [2, { n: 2 }]);
  assert.deepEqual(await router.push(), [3, { n: 3 }]);
  router.ack(3);
  assert.equal(await publisher.flush(), true);
  assert.equal(fs.statSync(options.outbox).size, 0);
  assert.equal(await publisher.push({}), 4);
  publisher.close();
  assert.throws(() => new Publisher({ ...options, producer: 'shard-8' }), /another producer/);
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
