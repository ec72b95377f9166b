// Is not run: tsc checks that index.d.ts allows this, and refuses what is marked.
import { Gateway, Publisher, RouterError } from '../../index.js';

const publisher = new Publisher({ host: 'localhost', app: 'com.mygame', producer: 'shard-7', ca: '…', outbox: null });
// @ts-expect-error A publisher has a producer.
new Publisher({ host: 'localhost', app: 'com.mygame' });
publisher.on('connected', ({ lastSeq }) => lastSeq + 1);
publisher.on('rejected', (seq, { code, retry }) => [seq + 1, code ?? '', retry === 'later']);
publisher.on('failed', (error: RouterError) => error.message);
// @ts-expect-error There is no such event.
publisher.on('reload', () => {});

export async function push(): Promise<boolean> {
  await publisher.connect();
  const seq: number = await publisher.push({ event: 'damage' }, { urgent: true, expiresAt: new Date(), kinds: ['k'] });
  const other: number | null = publisher.tryPush('{}', { expiresAt: 5, kinds: [] });
  // @ts-expect-error A number is no payload.
  await publisher.push(5);
  publisher.statistics().matched.toFixed();
  const { widgets, next, outcomes } = await publisher.history(seq);
  (await publisher.history(seq, next)).widgets.push(...widgets.filter(({ until }) => until === outcomes?.sent));
  return seq > (other ?? 0) && await publisher.flush(5000);
}

const gateway = new Gateway({ host: 'localhost', app: 'com.mygame', plaintext: true });
gateway.on('reload', async ({ seq, device, widgets }) => {
  const timelines = widgets.map((widget) => gateway.timeline({ device, widget, reload: seq, policy: { after: 5 } }));
  const [scheduled] = await Promise.all(timelines);
  return scheduled?.reloadAt;
});
gateway.on('connected', async () => (await gateway.attach(new Set(['d-1']))).unknown.length);
// @ts-expect-error There is no such policy.
void gateway.timeline({ device: 'd-1', widget: 'w1', policy: 'soon' });
