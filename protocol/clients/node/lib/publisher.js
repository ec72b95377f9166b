import { EventEmitter } from 'node:events';
import { HEADER, RouterError, Type, broken, parse, pushFrame, refusal, setSeq, tooLong } from './frames.js';
import { askHistory } from './history.js';
import { Link, SOCKET_OUTPUT, withDefaults } from './link.js';
import { Outbox } from './outbox.js';
import { Queue } from './queue.js';

/** About how many bytes are sent at once. */
const BATCH = 64 * 1024;

/**
 * Publishes pushes, over a connection that is restored when it is lost. Each push keeps its number until
 * the router has answered it, and takes effect once.
 */
export class Publisher extends EventEmitter {
  #options;
  #link;
  #outbox = null;
  /** The pushes without an answer, {seq, frame}, and rejected ones between them, whose frame is null. */
  #queue = new Queue();
  /** The index of the first push that was not sent over this connection. */
  #next = 0;
  #lastSent = 0;
  #nextSeq = 1;
  /** The last push of which the router knows, by what it has said, and what HELLO has said of it. */
  #known = 0;
  #acked = 0;
  /** The pushes of the queue that are not rejected, and the bytes of their frames. */
  #live = 0;
  #bytes = 0;
  /** Pushes sent over this connection and not answered. */
  #inFlight = 0;
  #unsentBytes = 0;
  #isPumpDue = false;
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
    this.#known = this.#settledThrough;
  }

  connect(limit) { return this.#link.connect(limit); }

  async push(payload, options) {
    const frame = pushFrame(payload, options);
    if (this.#pushes.length === 0 && this.#hasRoom()) return this.#accept(frame);
    return new Promise((resolve, reject) => this.#pushes.push({ frame, resolve, reject }));
  }

  tryPush(payload, options) {
    if (this.#pushes.length > 0 || !this.#hasRoom()) return null;
    return this.#accept(pushFrame(payload, options));
  }

  flush(timeout) {
    return new Promise((resolve, reject) => {
      // Waiting pushes will get the next numbers.
      const flush = { last: this.#nextSeq - 1 + this.#pushes.length, resolve, reject };
      if (this.#isSettled(flush.last)) return resolve(true);
      if (this.#link.ended) return reject(this.#link.ended);
      this.#flushes.push(flush);
      if (timeout !== undefined) flush.timer = setTimeout(resolve, timeout, false);
    });
  }

  async history(seq, after) { return askHistory(this.#options, seq, after); }

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
  #accept(frame) {
    if (this.#link.ended) throw this.#link.ended;
    const length = frame.length - HEADER;
    if (length > this.#link.maxBody) throw tooLong(length, this.#link.maxBody);
    const seq = this.#nextSeq;
    if (seq > Number.MAX_SAFE_INTEGER) throw new RouterError('seq-too-high', 'no', 'the producer has no number left');
    setSeq(frame, seq);
    this.#outbox?.append(frame);
    this.#enqueue({ seq, frame });
    this.#unsentBytes += frame.length;
    if (this.#unsentBytes >= BATCH) {
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
    this.#bytes += push.frame.length;
  }

  /** Sends pushes that are due, as long as the window and the socket have room. */
  #pump() {
    this.#isPumpDue = false;
    this.#unsentBytes = 0;
    const { socket, window } = this.#link;
    while (socket?.writable && socket.writableLength < SOCKET_OUTPUT) {
      const frames = [];
      for (let size = 0; size < BATCH && this.#inFlight < window && this.#next < this.#queue.length; this.#next += 1) {
        const { seq, frame } = this.#queue.at(this.#next);
        if (frame === null) continue;
        frames.push(frame);
        size += frame.length;
        this.#lastSent = seq;
        this.#inFlight += 1;
      }
      if (frames.length === 0) return;
      this.#counts.sent += frames.length;
      socket.write(Buffer.concat(frames));
    }
  }

  #hello() {
    const { app, token, producer, outcomes } = this.#options;
    const isKnown = this.#link.sessions > 0 || this.#live > 0;
    this.#acked = isKnown ? Math.min(this.#settledThrough, this.#known) : 0;
    return {
      role: 'publisher', app, token, producer,
      outcomes: outcomes ? true : undefined,
      // At first all rejections are asked for, so that no push gets the number of one that an earlier
      // run has had rejected.
      acked: this.#acked,
    };
  }

  /** Settles what the router knows, and begins to send the rest. */
  #welcomed({ lastSeq, rejected, maxBody, behind }) {
    this.#restart();
    if (behind > 0 && behind <= this.#acked) {
      this.#known = this.#acked - behind;
      this.#link.report('lost', { from: this.#known + 1, through: this.#acked });
    }
    this.#known = Math.max(this.#known, lastSeq, ...rejected.map(({ seq }) => seq));
    for (const { seq, code } of rejected) {
      this.#reject(seq, new RouterError(code, 'no', 'the REJECT was lost with its connection'));
    }
    this.#nextSeq = Math.max(this.#nextSeq, lastSeq + 1, ...rejected.map(({ seq }) => seq + 1));
    this.#settle(lastSeq);
    // An operator may have lowered the limit.
    for (const { seq, frame } of this.#queue) {
      const length = (frame?.length ?? 0) - HEADER;
      if (length > maxBody) this.#reject(seq, tooLong(length, maxBody));
    }
    this.#settle(0);
  }

  #received(frame) {
    if (frame.seq > this.#lastSent) {
      throw broken(`an answer to push ${frame.seq}, and the last one sent is ${this.#lastSent}`);
    }
    if (frame.type !== Type.OUTCOME) this.#known = Math.max(this.#known, frame.seq);
    switch (frame.type) {
      case Type.ACK:
        if (frame.body.length >= 4) this.#counts.matched += frame.body.readUInt32BE(0);
        return this.#settle(frame.seq);
      case Type.REJECT:
        this.#reject(frame.seq, refusal(frame.body));
        return this.#settle(0);
      case Type.OUTCOME:
        return this.#link.report('outcome', frame.seq, parse(frame.body, 'OUTCOME'));
    }
    throw broken(`type ${frame.type} is not for a publisher`);
  }

  /** Nothing is sent over the next connection yet. */
  #restart() {
    this.#next = 0;
    this.#lastSent = 0;
    this.#inFlight = 0;
  }

  /** Marks a push of the queue as rejected. It stays until those before it are settled. */
  #reject(seq, error) {
    let [low, high] = [0, this.#queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#queue.at(middle).seq < seq) low = middle + 1;
      else high = middle;
    }
    const push = this.#queue.at(low);
    if (push?.seq !== seq || push.frame === null) return;
    this.#remove(push, low < this.#next);
    this.#counts.rejected += 1;
    this.#link.report('rejected', seq, error);
  }

  /** Removes the pushes up to a number, which the router has accepted, and rejected ones at the front. */
  #settle(seq) {
    for (let push; (push = this.#queue.at(0)) && (push.seq <= seq || push.frame === null);) {
      if (push.frame !== null) {
        this.#remove(push, this.#next > 0);
        this.#counts.acknowledged += 1;
      }
      this.#queue.shift();
      if (this.#next > 0) this.#next -= 1;
    }
    this.#outbox?.settle(this.#queue, this.#live, this.#bytes);
    while (this.#pushes.length > 0 && this.#hasRoom()) {
      const { frame, resolve, reject } = this.#pushes.shift();
      try {
        resolve(this.#accept(frame));
      } catch (error) {
        reject(error);
      }
    }
    while (this.#flushes.length > 0 && this.#isSettled(this.#flushes.at(0).last)) {
      const { resolve, timer } = this.#flushes.shift();
      clearTimeout(timer);
      resolve(true);
    }
    this.#pump();
  }

  #remove(push, isInFlight) {
    this.#live -= 1;
    this.#bytes -= push.frame.length;
    if (isInFlight) this.#inFlight -= 1;
    push.frame = null;
  }

  /** All pushes up to this number are acknowledged or rejected. */
  get #settledThrough() { return (this.#queue.at(0)?.seq ?? this.#nextSeq) - 1; }

  #isSettled(seq) {
    return this.#settledThrough >= seq || (this.#pushes.length === 0 && this.#queue.length === 0);
  }

  #ended(error) {
    for (const { reject, timer } of [...this.#pushes.clear(), ...this.#flushes.clear()]) {
      clearTimeout(timer);
      reject(error);
    }
  }
}
