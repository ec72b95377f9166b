import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { Gateway } from '../index.js';
import { Type } from '../lib/frames.js';
import { rawMembers } from '../lib/raw.js';
import { Stage, WELCOME } from './stage.js';

test('a gateway speaks for devices', async (t) => {
  const stage = await Stage.begin(t);
  const gateway = new Gateway(stage.options);
  t.after(() => gateway.close());
  let [router, hello] = await stage.open(gateway);
  assert.deepEqual(hello, { v: 1, role: 'gateway', app: 'com.mygame', token: 't' });

  const widgets = { device: 'd-1', widgets: [{ id: 'w1', kind: 'k', configuration: { a: 1 } }] };
  const stored = gateway.widgets(widgets);
  const refused = gateway.request({ device: 'd-2' });
  const scheduled = gateway.timeline({ device: 'd-1', widget: 'w1', reload: 17, policy: 'atEnd' });
  assert.deepEqual(await router.push(), [1, widgets]);
  assert.deepEqual(await router.push(), [2, { device: 'd-2' }]);
  router.send(Type.REJECT, 2, { code: 'device-unknown', retry: 'no', message: '' });
  await assert.rejects(refused, { code: 'device-unknown' });
  router.send(Type.ACK, 1);
  await stored;

  const reload = once(gateway, 'reload');
  const body = { device: 'd-1', kinds: ['k'], widgets: ['w1'], cause: 'push', values: { w1: { hp: 30 } } };
  router.send(Type.RELOAD, 17, body);
  assert.deepEqual(await reload, [{ seq: 17, ...body, rawValues: { w1: { hp: '30' } } }]);

  // The answer is lost with the connection: after its device, the frame is sent again.
  [router] = await stage.reopen(router);
  assert.deepEqual(await router.push(), [1, { devices: ['d-1'] }]);
  router.send(Type.ATTACHED, 1, { attached: 0, unknown: ['d-1'] });
  router.send(Type.ACK, 1);
  assert.deepEqual(await router.push(), [2, widgets]);
  assert.deepEqual(await router.push(), [3, { entries: [], device: 'd-1', widget: 'w1', reload: 17, policy: 'atEnd' }]);
  router.send(Type.SCHEDULED, 3, { device: 'd-1', widget: 'w1', reloadAt: 5000, slotDelay: 7 });
  router.send(Type.ACK, 3);
  assert.equal((await scheduled).reloadAt, 5000);
  assert.deepEqual(gateway.statistics(), { queued: 0, sent: 6, acknowledged: 4, rejected: 1, reconnects: 1 });

  const detached = once(gateway, 'detached');
  router.send(Type.DETACHED, 0, { device: 'd-1', reason: 'session' });
  assert.deepEqual(await detached, [{ device: 'd-1', reason: 'session' }]);
});

test('values keep numbers of 64 bits beside them', async (t) => {
  const stage = await Stage.begin(t);
  const gateway = new Gateway(stage.options);
  t.after(() => gateway.close());
  const [router] = await stage.open(gateway);
  const reload = once(gateway, 'reload');
  router.send(Type.RELOAD, 3, ` { "device":"d","kinds":[],"widgets":["w1"],"cause":"push", "values" : { "w1":{"gold":9007199254740993 ,
    "price":1.10,"__proto__":1e400,"list":[1,{"a":"}\\"]"} , []],"text":"{\\"}","no":null}, "w\\u0032":{} } } `);
  const [{ values, rawValues }] = await reload;
  assert.equal(BigInt(rawValues.w1.gold), 9007199254740993n);
  assert.equal(values.w1.gold, 9007199254740992);
  assert.equal(rawValues.w1.price, '1.10');
  assert.equal(Object.getOwnPropertyDescriptor(rawValues.w1, '__proto__').value, '1e400');
  assert.equal(rawValues.w1.list, '[1,{"a":"}\\"]"} , []]');
  assert.equal(JSON.parse(rawValues.w1.text), '{"}');
  assert.deepEqual([rawValues.w1.no, rawValues.w2], ['null', {}]);
});

test('values keep their texts however many blanks they have', () => {
  for (const count of [0, 1, 63, 64, 65, 200, 5000]) {
    for (const blanks of [' '.repeat(count), ' \n\t\r'.repeat(count).slice(0, count)]) {
      const nested = `[1${blanks},${blanks}{"a"${blanks}:${blanks}"}\\"${blanks.replace(/\s/g, ' ')}\\\\"${blanks}}${blanks},[${blanks}]${blanks}]`;
      const empty = `{${blanks}}`;
      const text = ['', '{', '"n":', '9007199254740993', ',', `"l${' '.repeat(count)}":`, nested, ',', '"e"', ':', empty, '}', '']
        .join(blanks);
      const found = rawMembers(text);
      assert.deepEqual(found, { n: '9007199254740993', [`l${' '.repeat(count)}`]: nested, e: empty });
      assert.deepEqual(Object.keys(found), Object.keys(JSON.parse(text)));
    }
  }
});

test('values that are not as they should be cost their texts only', async (t) => {
  const stage = await Stage.begin(t);
  const gateway = new Gateway(stage.options);
  t.after(() => gateway.close());
  const [router] = await stage.open(gateway);
  for (const values of ['{', null, 7, [], ['{', ':'], { w: '{' }]) {
    const reload = once(gateway, 'reload');
    router.send(Type.RELOAD, 3, { device: 'd', kinds: [], widgets: ['w'], cause: 'push', values });
    assert.deepEqual((await reload)[0].values, values);
  }
  const reload = once(gateway, 'reload');
  router.send(Type.RELOAD, 4, `{"device":"d","values":{"w":{"list":[1,${' '.repeat(64)}2]}}}`);
  assert.deepEqual((await reload)[0].rawValues.w.list, `[1,${' '.repeat(64)}2]`);
});

test('dates of a timeline in another unit are refused', async () => {
  const gateway = new Gateway({ host: 'localhost', app: 'a', plaintext: true });
  for (const body of [{ entries: [1_795_000_000], policy: 'never' }, { policy: { after: 1_795_000_000 } }]) {
    await assert.rejects(gateway.timeline({ device: 'd', widget: 'w', ...body }), RangeError);
  }
});

test('many devices are attached in several frames', async (t) => {
  const stage = await Stage.begin(t);
  const gateway = new Gateway(stage.options);
  t.after(() => gateway.close());
  const [router] = await stage.open(gateway, { ...WELCOME, maxBody: 100 });
  const devices = Array.from({ length: 20 }, (_, n) => `device-${n}`);
  const attached = gateway.attach(devices);
  const found = [];
  for (let seq = 1; found.length < devices.length; seq += 1) {
    const { type, body } = await router.receive();
    assert.equal(type, Type.ATTACH);
    assert.ok(body.length <= 100);
    found.push(...JSON.parse(body).devices);
    router.send(Type.ATTACHED, seq, { attached: 1, unknown: [`u-${seq}`] });
    router.send(Type.ACK, seq);
  }
  assert.deepEqual(found, devices);
  const all = await attached;
  assert.deepEqual([all.attached, all.unknown.slice(0, 2), all.own], [3, ['u-1', 'u-2'], []]);
});

test('devices that were only attached are attached again, or reported', async (t) => {
  const stage = await Stage.begin(t);
  const gateway = new Gateway({ ...stage.options, registrations: 3 });
  t.after(() => gateway.close());
  let [router] = await stage.open(gateway);
  const attached = gateway.attach(['d-1', 'd-2', 'd-3']);
  await router.receive();
  router.send(Type.ATTACHED, 1, { attached: 1, own: ['d-2'], unknown: ['d-3'] });
  router.send(Type.ACK, 1);
  assert.deepEqual(await attached, { attached: 1, own: ['d-2'], unknown: ['d-3'], foreign: [] });
  await assert.rejects(gateway.attach(['d-4', 'd-5']), { code: 'limit-reached' });
  const detached = once(gateway, 'detached');
  [router] = await stage.reopen(router);
  assert.deepEqual(await router.push(), [1, { devices: ['d-1', 'd-2'] }]);
  router.send(Type.ATTACHED, 1, { attached: 1, unknown: ['d-2'] });
  assert.deepEqual(await detached, [{ device: 'd-2', reason: 'unknown' }]);
});
