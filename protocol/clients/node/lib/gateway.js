import { EventEmitter } from 'node:events';
import { checkedDate } from './address.js';
import { RouterError, Type, broken, encode, limitReached, parse, refusal, tooLong } from './frames.js';
import { Link, SOCKET_OUTPUT, withDefaults } from './link.js';
import { rawMembers } from './raw.js';

/** The most devices of one ATTACH. */
const DEVICES_PER_ATTACH = 1024;

/** A RELOAD, with the texts of its values beside them: a double holds no number of 64 bits. */
function reloadOf({ seq, body }) {
  const reload = { seq, ...parse(body, 'RELOAD') };
  if (reload.values === undefined) return reload;
  try {
    const widgets = Object.entries(rawMembers(rawMembers(body.toString()).values));
    reload.rawValues = Object.fromEntries(widgets.map(([widget, text]) => [widget, rawMembers(text)]));
  } catch {
    // The values are there, and only their texts are missing: no reason to end a session, or a process.
  }
  return reload;
}

/**
 * Speaks for the devices of an app that hold no connection. After a reconnect it first attaches its devices
 * again, registers those that the router has forgotten, and then sends again what had no answer.
 */
export class Gateway extends EventEmitter {
  #options;
  #link;
  /**
   * The frames without an answer, the first `#next` of which are sent. A repeat, for which no caller waits,
   * has no `resolve`.
   */
  #queue = [];
  #next = 0;
  #seq = 0;
  /** The devices that it speaks for, with the body of WIDGETS; null if it only attached them. */
  #devices = new Map();
  /** Repeated ATTACHs without an answer. Until there is none, only repeats are sent. */
  #attaches = 0;
  #counts = { sent: 0, acknowledged: 0, rejected: 0 };

  constructor(options) {
    super();
    this.#options = withDefaults(options);
    const { app, token } = this.#options;
    this.#link = new Link(this.#options, {
      hello: () => ({ role: 'gateway', app, token }),
      welcomed: () => this.#welcomed(),
      received: (frame) => this.#received(frame),
      pump: () => this.#pump(),
      disconnected: () => this.#restart(),
      ended: (error) => this.#queue.splice(0).forEach(({ reject }) => reject?.(error)),
      emit: (...event) => this.emit(...event),
    });
  }

  connect(limit) { return this.#link.connect(limit); }

  async widgets(body) {
    this.#checkRegistrations([body.device]);
    await this.#ask(Type.WIDGETS, body);
    if (body.widgets.length > 0) this.#devices.set(body.device, body);
    else this.#devices.delete(body.device);
  }

  async timeline(body) {
    for (const date of body.entries ?? []) checkedDate(date, 'an entry');
    if (body.policy?.after !== undefined) checkedDate(body.policy.after, 'the date of the policy');
    return (await this.#ask(Type.TIMELINE, { entries: [], ...body })) ?? null;
  }

  async state(body) { await this.#ask(Type.STATE, body); }

  async request(body) { await this.#ask(Type.REQUEST, body); }

  async attach(devices) {
    const names = [...devices];
    this.#checkRegistrations(names);
    await this.connect();
    const all = { attached: 0, unknown: [], own: [], foreign: [] };
    for (const part of this.#parts(names)) {
      const { attached = 0, unknown = [], own = [], foreign = [] } = await this.#ask(Type.ATTACH, { devices: part }) ?? {};
      const others = new Set([...unknown, ...foreign]);
      for (const name of part) {
        if (!others.has(name) && !this.#devices.has(name)) this.#devices.set(name, null);
      }
      all.attached += attached;
      all.unknown.push(...unknown);
      all.own.push(...own);
      all.foreign.push(...foreign);
    }
    return all;
  }

  close() { this.#link.finish(new RouterError('closed', 'no', 'the client is closed')); }

  statistics() {
    return { queued: this.#queue.length, ...this.#counts, reconnects: this.#link.reconnects };
  }

  #checkRegistrations(names) {
    const more = names.filter((name) => !this.#devices.has(name)).length;
    if (this.#devices.size + more > this.#options.registrations) throw limitReached('registrations');
  }

  /** The devices in lists that fit into one frame each. */
  * #parts(devices) {
    let part = [];
    let bytes = 0;
    for (const device of devices) {
      const more = Buffer.byteLength(device) + '"",'.length;
      if (part.length === DEVICES_PER_ATTACH || (part.length > 0 && bytes + more > this.#link.maxBody)) {
        yield part;
        part = [];
      }
      if (part.length === 0) bytes = '{"devices":[]}'.length;
      part.push(device);
      bytes += more;
    }
    if (part.length > 0) yield part;
  }

  /** Sends a frame; the promise is kept with the body of SCHEDULED or ATTACHED, if one comes. */
  #ask(type, body) {
    return new Promise((resolve, reject) => {
      if (this.#link.ended) throw this.#link.ended;
      this.#queue.push({ type, body, bytes: Buffer.from(JSON.stringify(body)), resolve, reject });
      this.#pump();
    });
  }

  #pump() {
    const { socket, window, maxBody } = this.#link;
    while (socket?.writable && this.#next < this.#queue.length && this.#next < window &&
        socket.writableLength < SOCKET_OUTPUT) {
      const request = this.#queue[this.#next];
      if (this.#attaches > 0 && request.resolve) return;
      if (request.bytes.length > maxBody) {
        this.#queue.splice(this.#next, 1);
        request.reject?.(tooLong(request.bytes.length, maxBody));
        continue;
      }
      this.#next += 1;
      this.#seq += 1;
      this.#counts.sent += 1;
      request.seq = this.#seq;
      socket.write(encode(request.type, request.seq, request.bytes));
    }
  }

  /** Queues a repeat before the frames that are not sent yet. */
  #repeat(type, body) {
    this.#queue.splice(this.#next, 0, { type, body, bytes: Buffer.from(JSON.stringify(body)) });
  }

  #welcomed() {
    for (const devices of this.#parts(this.#devices.keys())) {
      this.#repeat(Type.ATTACH, { devices });
      this.#attaches += 1;
    }
  }

  /** Repeats are dropped, because the next session makes them anew. */
  #restart() {
    this.#next = 0;
    this.#seq = 0;
    this.#attaches = 0;
    this.#queue = this.#queue.filter((request) => request.resolve);
    for (const request of this.#queue) request.answer = undefined;
  }

  #received(frame) {
    switch (frame.type) {
      case Type.ACK: {
        let count = 0;
        while (count < this.#next && this.#queue[count].seq <= frame.seq) count += 1;
        this.#counts.acknowledged += count;
        for (const request of this.#settle(0, count)) request.resolve?.(request.answer);
        return this.#pump();
      }
      case Type.REJECT:
      case Type.SCHEDULED:
      case Type.ATTACHED: {
        const index = this.#queue.findIndex(({ seq }, index) => index < this.#next && seq === frame.seq);
        if (index >= 0) this.#answered(index, frame);
        return this.#pump();
      }
      case Type.RELOAD:
        return this.#link.report('reload', reloadOf(frame));
      case Type.DETACHED: {
        const { device, reason } = parse(frame.body, 'DETACHED');
        // A device's own session ends; other gateways keep it.
        if (reason !== 'session') this.#devices.delete(device);
        return this.#link.report('detached', { device, reason });
      }
    }
    throw broken(`type ${frame.type} is not for a gateway`);
  }

  #answered(index, frame) {
    const request = this.#queue[index];
    if (frame.type !== Type.REJECT) {
      request.answer = parse(frame.body, 'an answer');
      if (!request.resolve) this.#registerAgain(request.answer.unknown ?? []);
      return;
    }
    const error = refusal(frame.body);
    this.#counts.rejected += 1;
    this.#settle(index, 1);
    if (request.reject) request.reject(error);
    else if (request.type === Type.WIDGETS) this.#forget(request.body.device, error.code);
  }

  #registerAgain(unknown) {
    for (const device of unknown) {
      const body = this.#devices.get(device);
      if (body) this.#repeat(Type.WIDGETS, body);
      else this.#forget(device, 'unknown');
    }
  }

  #forget(device, reason) {
    this.#devices.delete(device);
    this.#link.report('detached', { device, reason });
  }

  /** Removes frames that are sent; returns them. */
  #settle(index, count) {
    const requests = this.#queue.splice(index, count);
    this.#next -= count;
    this.#attaches -= requests.filter(({ type, resolve }) => type === Type.ATTACH && !resolve).length;
    return requests;
  }
}
