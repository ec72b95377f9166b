// Frames as bytes, and the errors that end sessions or refuse frames.

import { checkedDate } from './address.js';

export const Type = Object.freeze({
  HELLO: 0x01, WELCOME: 0x02, PING: 0x03, PONG: 0x04,
  PUSH: 0x10, ACK: 0x11, REJECT: 0x12, OUTCOME: 0x13,
  WIDGETS: 0x20, TIMELINE: 0x21, STATE: 0x22, REQUEST: 0x23, ATTACH: 0x24,
  RELOAD: 0x30, SCHEDULED: 0x31, DETACHED: 0x32, ATTACHED: 0x33, ERROR: 0x7e, GOAWAY: 0x7f,
});

export const HEADER = 16;
/** Types from here on are passed over when they are not known. */
export const FIRST_IGNORED = 0x40;
/** The longest body of a frame that a router may send. */
export const LONGEST_BODY = 512 * 1024;
const LONGEST_IDENTIFIER = 128;

export const Flag = Object.freeze({ URGENT: 0x01, EXPIRES: 0x02, KINDS: 0x04 });

/**
 * Why a session has ended, a push is refused, or a call has failed. `code` is the protocol's; null for
 * faults of the network, "not-connected" if no session began in time, "protocol-broken" if the peer is no
 * router, "limit-reached", and "closed" after `close`.
 */
export class RouterError extends Error {
  name = 'RouterError';

  constructor(code, retry, message) {
    super(code ? `${code}: ${message}` : message);
    this.code = code;
    this.retry = retry;
  }
}

export const broken = (message) => new RouterError('protocol-broken', 'no', message);
export const limitReached = (limit) => new RouterError('limit-reached', 'no', `the limit of ${limit} is reached`);
export const lost = (message) => new RouterError(null, 'reconnect', message);
export const tooLong = (count, limit) =>
  new RouterError('frame-length', 'no', `a body has ${count} bytes; the router takes ${limit}`);

/** Reads the body of a frame from the router. */
export function parse(body, name) {
  let value;
  try {
    value = JSON.parse(body);
  } catch { /* A body that is no JSON is none of an object either. */ }
  if (value === null || typeof value !== 'object') throw broken(`${name} has no JSON object`);
  return value;
}

/** Reads the body of ERROR or REJECT. */
export function refusal(body) {
  const { code, retry, message } = parse(body, 'a refusal');
  if (typeof code !== 'string') return broken('a refusal has no code');
  return new RouterError(code, retry === 'later' || retry === 'reconnect' ? retry : 'no', message);
}

/** A frame with a body of text or bytes. */
export function encode(type, seq, body = '', flags = 0) {
  const length = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(HEADER + length);
  frame.writeUInt32BE(HEADER - 4 + length, 0);
  frame.writeUInt32BE(((type << 24) | (flags << 16)) >>> 0, 4);
  setSeq(frame, seq);
  if (typeof body === 'string') frame.write(body, HEADER);
  else frame.set(body, HEADER);
  return frame;
}

export function setSeq(frame, seq) {
  frame.writeUInt32BE(Math.floor(seq / 0x1_0000_0000), 8);
  frame.writeUInt32BE(seq % 0x1_0000_0000, 12);
}

/** The PONG that answers a PING: all 64 bits of its number may be in use. */
export function pong(ping) {
  const frame = encode(Type.PONG, 0);
  ping.header.copy(frame, 8, 8);
  return frame;
}

/** The frame at a place of a buffer, null if it is not complete. Its size is that of header and body. */
export function decode(buffer, at = 0, maxBody = LONGEST_BODY) {
  if (buffer.length - at < 4) return null;
  const length = buffer.readUInt32BE(at);
  if (length < HEADER - 4 || length > HEADER - 4 + maxBody) {
    throw broken(`frame-length: a frame announces ${length} bytes`);
  }
  if (buffer.length - at < 4 + length) return null;
  return {
    type: buffer[at + 4],
    flags: buffer[at + 5],
    seq: buffer.readUInt32BE(at + 8) * 0x1_0000_0000 + buffer.readUInt32BE(at + 12),
    header: buffer.subarray(at, at + HEADER),
    body: buffer.subarray(at + HEADER, at + 4 + length),
    size: 4 + length,
  };
}

/** A push as a frame, which has no number yet: the date and the kinds stand before the payload. */
export function pushFrame(payload, { urgent, expiresAt, kinds } = {}) {
  // Strings and bytes are JSON already.
  const json = typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload);
  if (json === undefined) throw new TypeError('the payload is no JSON value');
  let flags = urgent ? Flag.URGENT : 0;
  const parts = [];
  if (expiresAt != null) {
    const date = Buffer.alloc(8);
    date.writeBigUInt64BE(BigInt(checkedDate(expiresAt, 'expiresAt')));
    parts.push(date);
    flags |= Flag.EXPIRES;
  }
  if (kinds != null) {
    const names = Buffer.concat(kinds.map((kind) => {
      const name = Buffer.from(kind);
      if (name.length === 0 || name.length > LONGEST_IDENTIFIER) {
        throw new RouterError('identifier-invalid', 'no', `"${kind}" is no kind`);
      }
      return Buffer.concat([Buffer.of(name.length), name]);
    }));
    if (names.length > 0xffff) throw tooLong(names.length, 0xffff);
    parts.push(Buffer.of(names.length >> 8, names.length & 0xff), names);
    flags |= Flag.KINDS;
  }
  return encode(Type.PUSH, 0, flags > Flag.URGENT ? Buffer.concat([...parts, Buffer.from(json)]) : json, flags);
}
