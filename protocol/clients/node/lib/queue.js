/** A queue from whose front elements are taken in constant time, and that is read by index. */
export class Queue {
  #items = [];
  #head = 0;

  get length() { return this.#items.length - this.#head; }

  at(index) { return this.#items[this.#head + index]; }

  push(item) { this.#items.push(item); }

  shift() {
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length || (this.#head >= 4096 && 2 * this.#head >= this.#items.length)) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Removes and returns all elements. */
  clear() {
    const items = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return items;
  }

  [Symbol.iterator]() { return this.#items.slice(this.#head)[Symbol.iterator](); }
}
