import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { decode, encode } from '../lib/frames.js';

const vectors = (name) => JSON.parse(readFileSync(new URL(`../../../vectors/${name}`, import.meta.url)));
const golden = new Map(vectors('frames.json').map((vector) => [vector.name, vector]));

test('golden frames are decoded and encoded', () => {
  assert.ok(golden.size > 40);
  for (const { name, hex, frame } of golden.values()) {
    const bytes = Buffer.from(hex, 'hex');
    const body = frame.bodyHex === undefined ? Buffer.from(frame.body) : Buffer.from(frame.bodyHex, 'hex');
    const found = decode(bytes);
    assert.equal(found.size, bytes.length, name);
    assert.deepEqual([found.type, found.flags, String(found.seq)], [frame.type, frame.flags, frame.seq], name);
    assert.deepEqual(found.body, body, name);
    assert.deepEqual(encode(found.type, found.seq, body, found.flags), bytes, name);
    for (let cut = 0; cut < bytes.length; cut += 1) assert.equal(decode(bytes.subarray(0, cut)), null, name);
  }
});

test('lengths that no frame has are refused', () => {
  let count = 0;
  for (const { name, hex, error } of vectors('malformed.json')) {
    const bytes = Buffer.from(hex, 'hex');
    const length = bytes.readUInt32BE(0);
    if (error !== 'frame-length' || (length >= 12 && length <= 12 + 65_536)) continue;
    count += 1;
    assert.throws(() => decode(bytes, 0, 65_536), new RegExp(error), name);
  }
  assert.ok(count >= 3);
});
