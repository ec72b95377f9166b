import { EventEmitter } from 'node:events';
import {
  HEADER, RouterError, Type, broken, parse, prefixOf, refusal, tooLong, writeHeader,
} from './frames.js';
import { Link, SOCKET_OUTPUT, withDefaults } from './link.js';
import { Outbox } from './outbox.js';
import { Queue } from './queue.js';

/** The size of the pieces of memory that frames of pushes share, and of what is sent at once. */
const CHUNK = 64 * 1024;
/** Texts from this length on are encoded before they are copied, because their size is not known. */
const LONG_TEXT = 8 * 1024;

/** A payload as JSON: strings and bytes are JSON already. */
function jsonOf(payload) {
  const json = typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload);
  if (json === undefined) throw new TypeError('the payload is no JSON value');
  return typeof json === 'string' && json.length < LONG_TEXT ? json : Buffer.from(json);
}

/**
 * Publishes pushes, over a connection that is restored when it is lost. Each push keeps its number until
 * the router has answered it, and takes effect once.
 */
export class Publisher extends EventEmitter {
  #options;
  #link;
  #outbox = null;
  /**
   * The pushes without an answer, {seq, buffer, start, end}, and rejected ones between them, whose buffer
   * is null.
   */
  #queue = new Queue();
  /** The index of the first push that was not sent over this connection. */
  #next = 0;
  #lastSent = 0;
  #nextSeq = 1;
  /** The pushes of the queue that are not rejected, and the bytes of their frames. */
  #live = 0;
  #bytes = 0;
  /** Pushes sent over this connection and not answered. */
  #inFlight = 0;
  #unsentBytes = 0;
  #isPumpDue = false;
  #chunk = Buffer.alloc(0);
  #used = 0;
  #pushes = new Queue();
  #flushes = new Queue();
  #counts = { sent: 0, acknowledged: 0, rejected: 0, matched: 0 };

  constructor(options) {
    super();
    this.#options = withDefaults(options, 'producer');
    this.#link = new Link(this.#options, {
      hello: () => this.#hello(),
      welcomed: (body) => this.#welcomed(body),
      received: (frame) => this.#received(frame),
      pump: () => this.#pump(),
      disconnected: () => this.#restart(),
      ended: (error) => this.#ended(error),
      emit: (...event) => this.emit(...event),
    });
    const { outbox, app, producer } = this.#options;
    if (!outbox) return;
    this.#outbox = new Outbox(outbox, app, producer);
    for (const push of this.#outbox.load()) this.#enqueue(push);
  }

  connect() { return this.#link.connect(); }

  async push(payload, options) {
    const json = jsonOf(payload);
    const prefix = prefixOf(options);
    if (this.#pushes.length === 0 && this.#hasRoom()) return this.#accept(json, prefix);
    return new Promise((resolve, reject) => this.#pushes.push({ json, prefix, resolve, reject }));
  }

  tryPush(payload, options) {
    if (this.#pushes.length > 0 || !this.#hasRoom()) return null;
    return this.#accept(jsonOf(payload), prefixOf(options));
  }

  flush(timeout) {
    return new Promise((resolve, reject) => {
      // Waiting pushes will get the next numbers.
      const flush = { last: this.#nextSeq - 1 + this.#pushes.length, resolve, reject };
      if (this.#isSettled(flush.last)) return resolve(true);
      if (this.#link.ended) return reject(this.#link.ended);
      this.#flushes.push(flush);
      if (timeout === undefined) return;
      const timer = setTimeout(() => resolve(false), timeout);
      flush.resolve = (value) => {
        clearTimeout(timer);
        resolve(value);
      };
      flush.reject = (error) => {
        clearTimeout(timer);
        reject(error);
      };
    });
  }

  close() {
    this.#link.finish(new RouterError('closed', 'no', 'the client is closed'));
    this.#outbox?.close();
  }

  statistics() {
    return { queued: this.#live, ...this.#counts, reconnects: this.#link.reconnects };
  }

  /** Also true when no push can be accepted any more, so that none waits for it. */
  #hasRoom() {
    const { queueCount, queueBytes } = this.#options;
    return this.#link.ended !== null ||
      (this.#link.sessions > 0 && this.#live < queueCount && this.#bytes < queueBytes);
  }

  /** Numbers a push and queues it. */
  #accept(json, prefix) {
    if (this.#link.ended) throw this.#link.ended;
    const most = HEADER + prefix.bytes.length + json.length * (typeof json === 'string' ? 3 : 1);
    if (this.#chunk.length - this.#used < most) {
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK, most));
      this.#used = 0;
    }
    const buffer = this.#chunk;
    const start = this.#used;
    let end = start + HEADER;
    if (prefix.flags !== 0) end += prefix.bytes.copy(buffer, end);
    end += typeof json === 'string' ? buffer.write(json, end) : json.copy(buffer, end);
    const length = end - start - HEADER;
    if (length > this.#link.maxBody) throw tooLong(length, this.#link.maxBody);
    const seq = this.#nextSeq;
    if (seq > Number.MAX_SAFE_INTEGER) throw new RouterError('seq-too-high', 'no', 'the producer has no number left');
    writeHeader(buffer, start, Type.PUSH, prefix.flags, seq, length);
    this.#outbox?.append(buffer, start, end);
    this.#used = end;
    this.#enqueue({ seq, buffer, start, end });
    this.#unsentBytes += end - start;
    if (this.#unsentBytes >= CHUNK) {
      this.#pump();
    } else if (!this.#isPumpDue) {
      this.#isPumpDue = true;
      setImmediate(() => this.#pump());
    }
    return seq;
  }

  #enqueue(push) {
    this.#queue.push(push);
    this.#nextSeq = push.seq + 1;
    this.#live += 1;
    this.#bytes += push.end - push.start;
  }

  /** Sends pushes that are due, as long as the window and the socket have room. */
  #pump() {
    this.#isPumpDue = false;
    this.#unsentBytes = 0;
    const { socket, window } = this.#link;
    while (socket?.writable && this.#inFlight < window && socket.writableLength < SOCKET_OUTPUT) {
      let push = this.#queue.at(this.#next);
      if (push === undefined) return;
      if (push.buffer === null) {
        this.#next += 1;
        continue;
      }
      // Frames that lie side by side are sent as one piece.
      const { buffer, start } = push;
      let end;
      do {
        ({ end } = push);
        this.#lastSent = push.seq;
        this.#inFlight += 1;
        this.#counts.sent += 1;
        push = this.#queue.at(++this.#next);
      } while (push?.buffer === buffer && push.start === end && this.#inFlight < window && end - start < CHUNK);
      socket.write(buffer.subarray(start, end));
    }
  }

  #hello() {
    const { app, token, producer, outcomes } = this.#options;
    const isKnown = this.#link.sessions > 0 || this.#live > 0;
    return {
      role: 'publisher', app, token, producer,
      outcomes: outcomes ? true : undefined,
      // At first all rejections are asked for, so that no push gets the number of one that an earlier
      // run has had rejected.
      acked: isKnown ? this.#settledThrough : 0,
    };
  }

  /** Settles what the router knows, begins to send the rest, and returns what to emit. */
  #welcomed({ lastSeq, rejected, maxBody }) {
    const events = [];
    this.#restart();
    for (const { seq, code } of rejected) {
      events.push(...this.#reject(seq, new RouterError(code, 'no', 'the REJECT was lost with its connection')));
    }
    this.#nextSeq = Math.max(this.#nextSeq, lastSeq + 1, ...rejected.map(({ seq }) => seq + 1));
    this.#settle(lastSeq);
    // An operator may have lowered the limit.
    for (const { seq, buffer, start, end } of this.#queue) {
      const length = end - start - HEADER;
      if (buffer && length > maxBody) events.push(...this.#reject(seq, tooLong(length, maxBody)));
    }
    this.#settle(0);
    return events;
  }

  #received(frame) {
    if (frame.seq > this.#lastSent) {
      throw broken(`an answer to push ${frame.seq}, and the last one sent is ${this.#lastSent}`);
    }
    switch (frame.type) {
      case Type.ACK:
        if (frame.body.length >= 4) this.#counts.matched += frame.body.readUInt32BE(0);
        return this.#settle(frame.seq);
      case Type.REJECT:
        for (const event of this.#reject(frame.seq, refusal(frame.body))) this.emit(...event);
        return this.#settle(0);
      case Type.OUTCOME:
        return void this.emit('outcome', frame.seq, parse(frame.body, 'OUTCOME'));
    }
    throw broken(`type ${frame.type} is not for a publisher`);
  }

  /** Nothing is sent over the next connection yet. */
  #restart() {
    this.#next = 0;
    this.#lastSent = 0;
    this.#inFlight = 0;
  }

  /**
   * Marks a push of the queue as rejected, and returns what to emit. The push stays until those before it
   * are settled.
   */
  #reject(seq, error) {
    let [low, high] = [0, this.#queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#queue.at(middle).seq < seq) low = middle + 1;
      else high = middle;
    }
    const push = this.#queue.at(low);
    if (push?.seq !== seq || push.buffer === null) return [];
    this.#remove(push, low < this.#next);
    this.#counts.rejected += 1;
    return [['rejected', seq, error]];
  }

  /** Removes the pushes up to a number, which the router has accepted, and rejected ones at the front. */
  #settle(seq) {
    for (let push; (push = this.#queue.at(0)) && (push.seq <= seq || push.buffer === null);) {
      if (push.buffer !== null) {
        this.#remove(push, this.#next > 0);
        this.#counts.acknowledged += 1;
      }
      this.#queue.shift();
      if (this.#next > 0) this.#next -= 1;
    }
    this.#outbox?.settle(this.#queue, this.#live, this.#bytes);
    while (this.#pushes.length > 0 && this.#hasRoom()) {
      const { json, prefix, resolve, reject } = this.#pushes.shift();
      try {
        resolve(this.#accept(json, prefix));
      } catch (error) {
        reject(error);
      }
    }
    while (this.#flushes.length > 0 && this.#isSettled(this.#flushes.at(0).last)) this.#flushes.shift().resolve(true);
    this.#pump();
  }

  #remove(push, isInFlight) {
    this.#live -= 1;
    this.#bytes -= push.end - push.start;
    if (isInFlight) this.#inFlight -= 1;
    push.buffer = null;
  }

  /** All pushes up to this number are acknowledged or rejected. */
  get #settledThrough() { return (this.#queue.at(0)?.seq ?? this.#nextSeq) - 1; }

  #isSettled(seq) {
    return this.#settledThrough >= seq || (this.#pushes.length === 0 && this.#queue.length === 0);
  }

  #ended(error) {
    for (const { reject } of [...this.#pushes.clear(), ...this.#flushes.clear()]) reject(error);
  }
}
