import { lookup } from 'node:dns/promises';
import net from 'node:net';
import tls from 'node:tls';
import { addressText, parseAddress } from './address.js';
import {
  FIRST_IGNORED, RouterError, Type, broken, decode, encode, lost, parse, pong, refusal,
} from './frames.js';

/** The most bytes that the socket keeps before it has sent some. Beyond: frames stay in the client. */
export const SOCKET_OUTPUT = 256 * 1024;
/** The most bytes with PONGs that wait to be sent. Beyond: the session ends. */
const CONTROL_OUTPUT = 1024 * 1024;
/** The most bytes that are read at once. */
const INPUT = 64 * 1024;
/** How long a socket is read on that cannot be written to any more, in milliseconds. */
const LAST_READ = 100;
/** The longest time of a timer of Node, in milliseconds. A longer one would be over at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

const DEFAULTS = {
  connectTimeout: 10_000,
  welcomeTimeout: 10_000,
  pingAfter: 15_000,
  lostAfter: 45_000,
  firstPause: 100,
  longestPause: 5_000,
  queueCount: 16_384,
  queueBytes: 16 * 1024 * 1024,
  registrations: 65_536,
};

/** The options with defaults in the place of those that are missing. */
export function withDefaults(options, ...needed) {
  for (const name of ['host', 'app', ...needed]) {
    if (typeof options[name] !== 'string') throw new TypeError(`the option ${name} is missing`);
  }
  const given = Object.entries(options).filter(([, value]) => value != null);
  return { ...DEFAULTS, ...Object.fromEntries(given), ...parseAddress(options.host, options.port) };
}

/**
 * A connection to the router that restores itself: what publishers and gateways share.
 *
 *     pausing ──► dialing ──► HELLO sent ──WELCOME──► open ──GOAWAY──► draining
 *        ▲           │             │                   │                   │
 *        └───────────┴─────────────┴───────lost────────┴───────────────────┘
 *
 * Its owner has `hello()` (the members of HELLO), `welcomed(body)`, `received(frame)`,
 * `pump()` (sends what is due), `disconnected()`, `ended(error)` and `emit(event, …)`.
 */
export class Link {
  /** The present connection, while frames may be sent over it; otherwise null. */
  socket = null;
  window = 1;
  maxBody = 65_536;
  sessions = 0;
  /** Why the client will not connect again; null while it may. */
  ended = null;

  #options;
  #owner;
  #isStarted = false;
  /** Why the last connection, or attempt, has ended; null after WELCOME. */
  #loss = null;
  /** The socket that `finish` must destroy, whether or not it is connected. */
  #present = null;
  #timer = null;
  #wake = null;
  #waiters = [];
  /** What is emitted when all frames that have arrived are dealt with. */
  #events = [];

  constructor(options, owner) {
    this.#options = options;
    this.#owner = owner;
  }

  get reconnects() { return Math.max(0, this.sessions - 1); }

  /**
   * Begins to connect; the promise is kept with the first session, and broken after the limit in milliseconds. A limit
   * that is longer than a timer's is none.
   */
  connect(limit = 10_000) {
    return new Promise((resolve, reject) => {
      if (!(limit >= 0)) throw new RangeError(`the limit of ${limit} ms is no time`);
      if (this.ended) return reject(this.ended);
      if (this.sessions > 0) return resolve();
      const waiter = { resolve, reject };
      this.#waiters.push(waiter);
      if (Number.isFinite(limit) && limit <= LONGEST_TIMER) {
        waiter.timer = setTimeout(() => this.#giveUp(waiter, limit), limit);
      }
      if (!this.#isStarted) this.#run();
      this.#isStarted = true;
    });
  }

  #giveUp(waiter, limit) {
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    const reason = this.#loss?.message ?? 'no attempt has ended yet';
    const error = new RouterError(
      'not-connected', 'reconnect', `no session with ${addressText(this.#options)} within ${limit / 1000} s: ${reason}`);
    error.cause = this.#loss ?? undefined;
    waiter.reject(error);
  }

  /** The waiters, who wait no longer. */
  #takeWaiters() {
    for (const { timer } of this.#waiters) clearTimeout(timer);
    return this.#waiters.splice(0);
  }

  /** Tells the owner why a connection has ended; of a row of failures the first one also those who do not listen. */
  #reportLoss(error) {
    const isFirst = this.#loss === null;
    this.#loss = error;
    if (!this.#owner.emit('disconnected', error) && isFirst) {
      const further = error.retry === 'no' ? 'no further attempt' : 'tried again';
      process.emitWarning(`no session with ${addressText(this.#options)}: ${error.message} (${further})`, 'ReloadRouterWarning');
    }
  }

  /** Ends the connection, and makes no other. */
  finish(error) {
    if (this.ended) return;
    this.ended = error;
    this.socket = null;
    this.#present?.destroy();
    this.#wake?.();
    for (const { reject } of this.#takeWaiters()) reject(error);
    this.#owner.ended(error);
  }

  async #run() {
    const { firstPause, longestPause } = this.#options;
    let step = firstPause;
    while (!this.ended) {
      const before = this.sessions;
      const error = await this.#session();
      if (this.ended) return;
      this.#reportLoss(error);
      if (error.retry === 'no') {
        this.finish(error);
        this.#owner.emit('failed', error);
        return;
      }
      if (this.sessions > before) step = firstPause;
      if (error.retry === 'later' || step > longestPause) step = longestPause;
      if (!this.ended) await this.#pause(step * (0.5 + Math.random() / 2));
      step *= 2;
    }
  }

  #pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Makes one connection and serves it; returns why it has ended. */
  async #session() {
    try {
      const state = await this.#dial();
      return await new Promise((resolve) => this.#serve(state, resolve));
    } catch (error) {
      return error instanceof RouterError ? error : lost(error.message);
    }
  }

  /** Tries all addresses of the router. */
  async #dial() {
    const { host } = this.#options;
    const addresses = net.isIP(host) ? [{ address: host }] : await lookup(host, { all: true });
    let reason = lost(`${host} has no address`);
    for (const { address } of addresses) {
      if (this.ended) break;
      try {
        return await this.#dialAddress(address);
      } catch (error) {
        reason = error;
      }
    }
    throw reason;
  }

  #dialAddress(address) {
    const { host, port, plaintext, ca, cert, key, connectTimeout } = this.#options;
    const state = { socket: null, isOpen: false, isDraining: false, reason: null, rest: null, heard: 0, pinged: 0 };
    const onread = {
      buffer: Buffer.allocUnsafeSlow(INPUT),
      callback: (count, buffer) => this.#read(state, buffer.subarray(0, count)),
    };
    const socket = plaintext ? net.connect({ host: address, port, onread }) : tls.connect({
      host: address, port, ca, cert, key, onread,
      servername: net.isIP(host) ? '' : host,
      ALPNProtocols: ['rr/1'],
      checkServerIdentity: (_, certificate) => tls.checkServerIdentity(host, certificate),
    });
    state.socket = socket;
    this.#present = socket;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => socket.destroy(new Error(`no connection within ${connectTimeout} ms`)), connectTimeout);
      socket.on('error', reject);
      socket.once('close', () => {
        clearTimeout(timer);
        reject(lost('the connection was closed'));
      });
      socket.once(plaintext ? 'connect' : 'secureConnect', () => {
        clearTimeout(timer);
        socket.setNoDelay(true);
        resolve(state);
      });
    });
  }

  /** Serves a connection until it has ended, and calls `done` with the reason. */
  #serve(state, done) {
    const { socket } = state;
    if (this.ended || socket.destroyed) {
      socket.destroy();
      return done(state.reason ?? lost('the connection was closed'));
    }
    state.heard = performance.now();
    socket.resume(); // Otherwise the end of the stream is not seen.
    // What a write runs into must not hide an ERROR that has arrived before.
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error) => {
      if (error?.syscall !== 'write' || this.socket !== socket) return destroy(error);
      this.socket = null;
      setTimeout(destroy, LAST_READ, error);
      return socket;
    };
    socket.on('drain', () => this.#owner.pump());
    socket.on('error', (error) => { state.reason ??= lost(error.message); });
    socket.once('close', () => {
      clearTimeout(this.#timer);
      this.socket = null;
      this.#owner.disconnected();
      done(state.reason ?? lost('the router closed the connection'));
    });
    this.#watch(state);
    socket.write(encode(Type.HELLO, 0, JSON.stringify({ v: 1, ...this.#owner.hello() })));
  }

  /** Takes bytes from the buffer that all reads share. */
  #read(state, chunk) {
    state.heard = performance.now();
    const data = state.rest ? Buffer.concat([state.rest, chunk]) : chunk;
    const used = this.#take(state, data);
    for (const event of this.#events.splice(0)) this.#owner.emit(...event);
    if (used === data.length) state.rest = null;
    else state.rest = state.rest ? data.subarray(used) : Buffer.from(data.subarray(used));
    return true;
  }

  /** Deals with all whole frames; returns how many bytes they have. An error ends the connection. */
  #take(state, data) {
    let used = 0;
    try {
      while (!state.reason && !this.ended) {
        const frame = decode(data, used);
        if (!frame) break;
        used += frame.size;
        this.#takeFrame(state, frame);
      }
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      state.reason = error;
      state.socket.destroy();
    }
    return used;
  }

  #takeFrame(state, frame) {
    switch (frame.type) {
      case Type.ERROR:
        throw refusal(frame.body);
      case Type.PING:
        if (state.socket.writableLength > CONTROL_OUTPUT) throw broken('PINGs come faster than they are answered');
        state.socket.write(pong(frame));
        return;
      case Type.PONG:
        return;
      case Type.GOAWAY:
        state.isDraining = true;
        this.socket = null;
        return;
      case Type.WELCOME:
        if (state.isOpen) throw broken('a second WELCOME came');
        return this.#open(state, parse(frame.body, 'WELCOME'));
    }
    if (frame.type >= FIRST_IGNORED) return;
    if (!state.isOpen) throw broken(`type ${frame.type} came before WELCOME`);
    this.#owner.received(frame);
  }

  #open(state, body) {
    const isCount = (value) => Number.isSafeInteger(value) && value > 0;
    if (!isCount(body.window) || !isCount(body.maxBody)) throw broken('WELCOME has no window or maxBody');
    state.isOpen = true;
    if (!state.isDraining) this.socket = state.socket;
    this.window = body.window;
    this.maxBody = body.maxBody;
    this.sessions += 1;
    this.#watch(state);
    const { lastSeq = 0, rejectedAfter, behind = 0 } = body;
    this.report('connected', { lastSeq, rejectedAfter });
    this.#owner.welcomed({ lastSeq, rejected: body.rejected ?? [], maxBody: body.maxBody, behind });
    this.#owner.pump();
    this.#loss = null;
    for (const { resolve } of this.#takeWaiters()) resolve();
  }

  /** Emits an event when the frames that have arrived are dealt with. */
  report(...event) { this.#events.push(event); }

  /** Ends a connection that is silent for too long, sends PING when it is due, and looks again. */
  #watch(state) {
    const { welcomeTimeout, lostAfter, pingAfter } = this.#options;
    clearTimeout(this.#timer);
    const now = performance.now();
    let left = (state.isOpen ? lostAfter : welcomeTimeout) - (now - state.heard);
    if (left <= 0) {
      state.reason = lost(`the router was silent for ${Math.round(now - state.heard)} ms`);
      state.socket.destroy();
      return;
    }
    if (state.isOpen && !state.isDraining) {
      let pause = pingAfter - (now - Math.max(state.heard, state.pinged));
      if (pause <= 0) {
        state.pinged = now;
        pause = pingAfter;
        state.socket.write(encode(Type.PING, 0));
      }
      left = Math.min(left, pause);
    }
    this.#timer = setTimeout(() => this.#watch(state), Math.ceil(left));
  }
}
