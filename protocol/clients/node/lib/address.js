// Addresses of routers as all clients and commands read them, and dates as the protocol has them.

import net from 'node:net';

const DEFAULT_PORT = 7410;

/** The beginning of 2001 and the end of 9999, in milliseconds since 1970: others are dates in another unit. */
const [FIRST_DATE, LAST_DATE] = [978_307_200_000, 253_402_300_799_999];

/**
 * The host and the port of HOST, HOST:PORT, [IPv6]:PORT or a bare IPv6 address. Throws a TypeError for another text, and
 * if `port` is not the one that the text names.
 */
export function parseAddress(text, port) {
  const match = /^(?:\[([^\]]+)\]|([^:/@[\]\s]+))(?::([0-9]{1,5}))?$/.exec(text);
  const isBare = net.isIPv6(text);
  if (!isBare && (!match || (match[1] && !net.isIPv6(match[1])))) {
    throw new TypeError(`"${text}" is no address of a router: HOST, HOST:PORT or [IPv6]:PORT`);
  }
  const host = isBare ? text : match[1] ?? match[2];
  const named = isBare || match[3] === undefined ? undefined : Number(match[3]);
  if (named !== undefined && port != null && named !== Number(port)) {
    throw new TypeError(`the address "${text}" names another port than ${port}`);
  }
  const found = named ?? (port == null ? DEFAULT_PORT : Number(port));
  if (!Number.isInteger(found) || found < 1 || found > 65_535) {
    throw new TypeError(`the port ${port ?? match[3]} of the address is not from 1 to 65535`);
  }
  return { host, port: found };
}

/** An address as `parseAddress` reads it. */
export const addressText = ({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/** A date in milliseconds since 1970; throws a RangeError if it looks like one in another unit. */
export function checkedDate(value, name) {
  const date = Math.floor(Number(value));
  if (!(date >= FIRST_DATE && date <= LAST_DATE)) {
    throw new RangeError(
      `${name} is ${Number(value)}, which is no date from 2001 to 9999 in milliseconds since 1970`);
  }
  return date;
}
