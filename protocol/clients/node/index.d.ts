import { EventEmitter } from 'node:events';

/** Whether the same is accepted when it is tried again. */
export type Retry = 'no' | 'later' | 'reconnect';

/** Why a session has ended, a push is refused, or a call has failed. */
export class RouterError extends Error {
  /**
   * The protocol's code, such as "token-invalid"; null for faults of the network, "not-connected" if no session
   * began in time (`cause` is why the last attempt has failed), "protocol-broken" if the peer is no router,
   * "limit-reached", and "closed" after `close`.
   */
  readonly code: string | null;
  readonly retry: Retry;
  constructor(code: string | null, retry: Retry, message: string);
}

/** Where the router is, who the client is, and what its limits are. Times are milliseconds. */
export interface ClientOptions {
  /** A name or an address; HOST:PORT and [IPv6]:PORT are understood, too. */
  host: string;
  /** 7410 by default. */
  port?: number | null;
  /** The app as the app file names it. */
  app: string;
  /** Lets the client in; missing if a certificate does, or if the app is open. */
  token?: string | null;
  /** Asks for plain TCP, in which a stranger can read and change everything. By default there is TLS. */
  plaintext?: boolean | null;
  /** The authorities that may have signed the router's certificate, in PEM; by default those of Node.js. */
  ca?: string | Uint8Array | null;
  /** The client's certificate and key, in PEM. */
  cert?: string | Uint8Array | null;
  key?: string | Uint8Array | null;
  /** Limits connecting to each address; 10,000 by default. */
  connectTimeout?: number | null;
  /** Limits the time from there until WELCOME; 10,000 by default. */
  welcomeTimeout?: number | null;
  /** The silence after which the client sends PING; 15,000 by default. */
  pingAfter?: number | null;
  /** The silence after which the connection counts as lost; 45,000 by default. */
  lostAfter?: number | null;
  /** The longest that the first pause before a reconnect may be; 100 by default. It doubles each time. */
  firstPause?: number | null;
  /** The longest that any pause may be; 5,000 by default. */
  longestPause?: number | null;
}

export interface PublisherOptions extends ClientOptions {
  /** Names this stream of pushes. It has one session at a time, the newest. */
  producer: string;
  /** Asks what became of each push; the answers are `outcome` events. */
  outcomes?: boolean | null;
  /** HOST:PORT of the router's listener for publishers over HTTP (`serve --publish`), which `history` asks. */
  httpAddress?: string | null;
  /** The path of a file that keeps pushes until they are answered, so that they survive a crash. */
  outbox?: string | null;
  /**
   * The most pushes that are neither acknowledged nor rejected; 16,384 by default. Beyond: `push` waits and
   * `tryPush` returns null.
   */
  queueCount?: number | null;
  /** The bytes of these pushes from which the same happens; 16 MiB by default. */
  queueBytes?: number | null;
}

export interface PushOptions {
  /** Urgent pushes precede others, and may use the reserved share of a budget. */
  urgent?: boolean | null;
  /** When reloads that wait for this push alone are no longer sent; a date or milliseconds since 1970; others are refused. */
  expiresAt?: Date | number | null;
  /** Limits the push to these kinds; an empty list means none. */
  kinds?: readonly string[] | null;
}

/** A JSON object; a string or bytes are JSON already. */
export type Payload = object | string | Uint8Array;

export interface Statistics {
  /** What has no answer now. */
  queued: number;
  /** Frames that were written, those sent again included. */
  sent: number;
  acknowledged: number;
  rejected: number;
  /** Sessions after the first one. */
  reconnects: number;
}

export interface PublisherStatistics extends Statistics {
  /** The widgets that the acknowledged pushes matched. */
  matched: number;
}

/** What became of a push for one of the widgets that it matches. */
export interface HistoryWidget {
  device: string;
  widget: string;
  kind: string;
  /**
   * What its reload waits for now, or how it has ended: one of the protocol's reasons, "ready", "undecided" or
   * "unknown". `first` is what it was when the push came, if that was something else.
   */
  outcome: string;
  first?: string;
  /** When it ended, and when its wait ends at the latest; in milliseconds since 1970. */
  at?: number;
  until?: number;
  /** For people. */
  why?: string;
}

/** What has become of a push so far: a page of at most 64 of the widgets that it matches. */
export interface PushHistory {
  app: string;
  producer: string;
  seq: number;
  /** When it was accepted, and when the oldest push was that the router keeps; in milliseconds since 1970. */
  at: number;
  keptSince: number;
  /** How many widgets it matches, and of all of them each outcome and each kind has; the latter in the first page. */
  matched: number;
  outcomes?: Record<string, number>;
  kinds?: Record<string, number>;
  widgets: HistoryWidget[];
  /** What the next page is asked for after; null if there is none. */
  next: number | null;
}

export interface ConnectionEvents {
  /**
   * The router has accepted a session. `lastSeq` is the highest push that it had accepted before. Rejections
   * up to `rejectedAfter`, if it is there, are forgotten: such pushes count as acknowledged.
   */
  connected: (session: { lastSeq: number; rejectedAfter?: number }) => void;
  /**
   * A connection, or an attempt to make one, has ended. Another follows unless `retry` is "no". If nobody
   * listens, the first failure of a row is a warning of the process.
   */
  disconnected: (error: RouterError) => void;
  /** The client makes no further attempt. */
  failed: (error: RouterError) => void;
}

export interface PublisherEvents extends ConnectionEvents {
  /** The router has refused a push. It is not sent again. */
  rejected: (seq: number, error: RouterError) => void;
  /** The router has lost these pushes, which it had answered, and they are not in the queue any more. */
  lost: (pushes: { from: number; through: number }) => void;
  /** What became of a push: the body of OUTCOME. A seq of 0 is about the app. */
  outcome: (seq: number, outcome: Record<string, unknown>) => void;
}

/** Publishes pushes, over a connection that is restored when it is lost. Each push takes effect once. */
export class Publisher extends EventEmitter {
  /** Reads the outbox, if there is one. It does not connect yet. */
  constructor(options: PublisherOptions);
  /**
   * Begins to connect; the promise is kept with the first session, and broken if trying is no use, or after the
   * limit in milliseconds, 10,000 by default, with the last reason. The client then still tries, until `close`.
   * A limit above 2 ** 31 - 1, such as Infinity, is none; NaN and negative numbers break it with a RangeError.
   */
  connect(limit?: number): Promise<void>;
  /** Publishes a push; returns its number. Waits for the first session, and while the queue is full. */
  push(payload: Payload, options?: PushOptions): Promise<number>;
  /** Publishes a push and returns its number; null where `push` would wait. */
  tryPush(payload: Payload, options?: PushOptions): number | null;
  /**
   * Waits until every push so far is acknowledged or rejected; false if that takes longer than the time-out
   * in milliseconds.
   */
  flush(timeout?: number): Promise<boolean>;
  /**
   * Asks over HTTP (`httpAddress`) what has become of the push with a number, after the widget at a position: `next` of
   * the page before. The session need not be open. A RouterError with the code "push-unknown" says that no such push was
   * accepted, and "push-forgotten" that the router does not keep it any more.
   */
  history(seq: number, after?: number | null): Promise<PushHistory>;
  /** Ends the session at once. Pushes that were not flushed may be lost, unless there is an outbox. */
  close(): void;
  statistics(): PublisherStatistics;
  on<E extends keyof PublisherEvents>(event: E, listener: PublisherEvents[E]): this;
  once<E extends keyof PublisherEvents>(event: E, listener: PublisherEvents[E]): this;
  off<E extends keyof PublisherEvents>(event: E, listener: PublisherEvents[E]): this;
}

export interface Widget {
  id: string;
  kind: string;
  family?: string;
  configuration?: Record<string, string | number | boolean | readonly (string | number | boolean)[]>;
  /** The token of a control. */
  pushToken?: string;
}

export interface Timeline {
  device: string;
  widget: string;
  /** The `seq` of the RELOAD that this answers. */
  reload?: number;
  because?: 'intent' | 'locale' | 'accessibility' | 'date' | 'request';
  /** Milliseconds since 1970, ascending. */
  entries?: readonly number[];
  policy: 'never' | 'atEnd' | { after: number };
  ownTimer?: boolean;
}

export interface State {
  device: string;
  foreground?: boolean;
  media?: 'audio' | 'navigation' | null;
  visible?: readonly string[];
  location?: 'significant-change';
}

export interface Scheduled {
  device: string;
  widget: string;
  reloadAt: number;
  slotDelay: number;
  warning?: string;
}

export interface Attached {
  attached: number;
  unknown: string[];
  own: string[];
  foreign: string[];
}

export interface Reload {
  seq: number;
  device: string;
  kinds: string[];
  widgets: string[];
  cause: string;
  values?: Record<string, Record<string, unknown>>;
  /** The JSON texts of the values: 9007199254740993 is exact there, and `BigInt` reads it. Missing if there are none. */
  rawValues?: Record<string, Record<string, string>>;
}

export interface GatewayEvents extends ConnectionEvents {
  /** Widgets of a device are to be reloaded. The answer is a `timeline` for each. */
  reload: (reload: Reload) => void;
  /**
   * The gateway no longer speaks for a device: the reason is that of DETACHED; or after a reconnect "unknown",
   * or the code with which the router refused the device's widgets.
   */
  detached: (detached: { device: string; reason: string }) => void;
}

export interface GatewayOptions extends ClientOptions {
  /**
   * The most devices that the gateway remembers, to speak for them again after a reconnect; 65,536 by default.
   * Beyond: `widgets` and `attach` fail.
   */
  registrations?: number | null;
}

/**
 * Speaks for the devices of an app that hold no connection. The promise of each call is kept when the router
 * has acknowledged the frame, and broken with a RouterError if it has refused it. After a reconnect it first
 * attaches its devices again, registers those that the router has forgotten, and then sends again what had no
 * answer.
 */
export class Gateway extends EventEmitter {
  constructor(options: GatewayOptions);
  connect(limit?: number): Promise<void>;
  /** Replaces what is stored for a device; an empty list deletes it. */
  widgets(body: {
    device: string;
    pushToken?: string;
    /** The token of the app itself, for background pushes. */
    appPushToken?: string;
    environment?: 'production' | 'sandbox';
    widgets: readonly Widget[];
  }): Promise<void>;
  /** Says what a widget shows; returns when its next reload is, null if it has no date. */
  timeline(body: Timeline): Promise<Scheduled | null>;
  state(body: State): Promise<void>;
  request(body: { device: string; kind?: string; because?: 'download' }): Promise<void>;
  /** Speaks for devices whose widgets are stored, as after a restart of its program. */
  attach(devices: Iterable<string>): Promise<Attached>;
  close(): void;
  statistics(): Statistics;
  on<E extends keyof GatewayEvents>(event: E, listener: GatewayEvents[E]): this;
  once<E extends keyof GatewayEvents>(event: E, listener: GatewayEvents[E]): this;
  off<E extends keyof GatewayEvents>(event: E, listener: GatewayEvents[E]): this;
}
