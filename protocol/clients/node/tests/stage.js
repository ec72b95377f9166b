// A listener to which clients connect, whose connections a test plays.

import { once } from 'node:events';
import net from 'node:net';
import { Type, decode, encode } from '../lib/frames.js';

export const WELCOME = { v: 1, session: '0', maxBody: 65536, window: 8192, lastSeq: 0 };

/** The router's end of a connection. */
class Peer {
  #buffer = Buffer.alloc(0);

  constructor(socket) {
    this.socket = socket;
    this.ended = once(socket, 'close');
    socket.on('error', () => {});
    socket.on('data', (data) => { this.#buffer = Buffer.concat([this.#buffer, data]); });
  }

  async receive() {
    for (;;) {
      const frame = decode(this.#buffer);
      if (frame) {
        this.#buffer = this.#buffer.subarray(frame.size);
        return frame;
      }
      await Promise.race([once(this.socket, 'data'), this.ended.then(() => { throw new Error('ended'); })]);
    }
  }

  async push() {
    const { seq, body } = await this.receive();
    return [seq, JSON.parse(body)];
  }

  send(type, seq, body = '') {
    this.socket.write(encode(type, seq, typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)));
  }

  ack(seq) { this.send(Type.ACK, seq, Buffer.of(0, 0, 0, 1)); }
}

export class Stage {
  #server = net.createServer();
  #sockets = new Set();

  static async begin(test) {
    const stage = new Stage();
    stage.#server.listen(0, '127.0.0.1');
    await once(stage.#server, 'listening');
    test.after(() => {
      stage.#server.close();
      stage.#sockets.forEach((socket) => socket.destroy());
    });
    return stage;
  }

  get options() {
    return {
      host: '127.0.0.1', port: this.#server.address().port, app: 'com.mygame', token: 't', producer: 'shard-7',
      plaintext: true, firstPause: 2, longestPause: 20,
    };
  }

  async accept() {
    const [socket] = await once(this.#server, 'connection');
    this.#sockets.add(socket);
    return new Peer(socket);
  }

  /** Makes a client connect; returns the router's end and the body of HELLO. */
  async open(client, welcome = WELCOME) {
    const accepted = this.accept();
    const connected = client.connect();
    const peer = await accepted;
    const hello = JSON.parse((await peer.receive()).body);
    peer.send(Type.WELCOME, 0, welcome);
    await connected;
    return [peer, hello];
  }

  /** Cuts a connection; returns the router's end of the next one, and the body of its HELLO. */
  async reopen(peer, welcome = WELCOME) {
    const accepted = this.accept();
    peer.socket.destroy();
    const next = await accepted;
    const hello = JSON.parse((await next.receive()).body);
    next.send(Type.WELCOME, 0, welcome);
    return [next, hello];
  }
}
