import fs from 'node:fs';
import path from 'node:path';
import { Type, decode, encode } from './frames.js';

/**
 * How many bytes of settled pushes the file may have beyond those of unsettled ones before it is written
 * anew.
 */
const SLACK = 16 * 1024 * 1024;

/**
 * A file of pushes that have no answer yet. It begins with a HELLO frame that names the app and the
 * producer; the PUSH frames follow. A frame that is cut off at the end was never accepted.
 *
 * A write is with the operating system when `append` returns, so it survives the end of the program. The
 * file is synced in batches, for the loss of power.
 */
export class Outbox {
  #path;
  #file;
  #size = 0;
  #header;
  #isSyncing = false;
  #isDirty = false;
  /** Why a sync has failed: nothing is accepted after it. */
  #failed = null;

  constructor(file, app, producer) {
    this.#path = file;
    this.#header = encode(Type.HELLO, 0, JSON.stringify({ v: 1, role: 'publisher', app, producer }));
    this.#file = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
  }

  /** Reads the pushes of the file, as frames with their whole bytes, and removes what is damaged. */
  load() {
    try {
      return this.#read();
    } catch (error) {
      fs.closeSync(this.#file);
      this.#file = null;
      throw error;
    }
  }

  #read() {
    const data = fs.readFileSync(this.#path);
    const pushes = [];
    let used = 0;
    let last = 0;
    for (;;) {
      let frame = null;
      try {
        frame = decode(data, used, Infinity);
      } catch { /* Damaged bytes are like none. */ }
      if (!frame) break;
      if (used === 0) {
        if (!data.subarray(0, frame.size).equals(this.#header)) {
          throw new Error(`${this.#path} is the outbox of another producer, or none`);
        }
      } else {
        // Earlier versions for Java and C# wrote other frames, too.
        if (frame.type === Type.PUSH) {
          if (frame.seq <= last) break;
          last = frame.seq;
          pushes.push({ seq: frame.seq, frame: data.subarray(used, used + frame.size) });
        }
      }
      used += frame.size;
    }
    // Else it is empty, or was cut while its head was written.
    if (used === 0 && !this.#header.subarray(0, data.length).equals(data)) {
      throw new Error(`${this.#path} is the outbox of another producer, or none`);
    }
    this.#size = used;
    fs.ftruncateSync(this.#file, used);
    this.#syncFolder();
    return pushes;
  }

  /** Writes a push. After an error, the file is as it was before. */
  append(frame) {
    if (this.#failed) throw this.#failed;
    const size = this.#size;
    try {
      if (size === 0) this.#write(this.#header);
      this.#write(frame);
    } catch (error) {
      fs.ftruncateSync(this.#file, size);
      this.#size = size;
      throw error;
    }
    this.#isDirty = true;
    if (!this.#isSyncing) this.#sync();
  }

  #write(frame) {
    for (let at = 0; at < frame.length;) {
      const count = fs.writeSync(this.#file, frame, at, frame.length - at, this.#size);
      at += count;
      this.#size += count;
    }
  }

  #sync() {
    this.#isSyncing = true;
    this.#isDirty = false;
    const file = this.#file;
    fs.fsync(file, (error) => {
      this.#isSyncing = false;
      // A file that was written anew meanwhile is synced.
      if (error && file === this.#file) this.#failed ??= error;
      if (this.#isDirty && !this.#failed) this.#sync();
    });
  }

  /** Empties the file if no push is left, and writes it anew if most of it is settled. */
  settle(pushes, live, bytes) {
    if (this.#failed) return;
    try {
      if (live === 0 && this.#size > 0) {
        fs.ftruncateSync(this.#file, 0);
        this.#size = 0;
      } else if (this.#size > 2 * bytes + SLACK) {
        this.#rewrite(pushes);
      }
    } catch (error) {
      this.#failed = error;
    }
  }

  #rewrite(pushes) {
    const frames = [...pushes].map((push) => push.frame).filter((frame) => frame !== null);
    const old = this.#file;
    this.#file = fs.openSync(`${this.#path}.new`, 'w+', 0o600);
    this.#size = 0;
    this.#write(Buffer.concat([this.#header, ...frames]));
    fs.fsyncSync(this.#file);
    fs.renameSync(`${this.#path}.new`, this.#path);
    fs.closeSync(old);
    this.#syncFolder();
  }

  /** Makes the name of the file durable. */
  #syncFolder() {
    const folder = fs.openSync(path.dirname(this.#path), 'r');
    fs.fsyncSync(folder);
    fs.closeSync(folder);
  }

  close() {
    if (this.#file === null) return;
    fs.fsyncSync(this.#file);
    fs.closeSync(this.#file);
    this.#file = null;
    this.#failed ??= new Error('the outbox is closed');
  }
}
