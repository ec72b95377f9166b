// As much of Node.js as index.d.ts needs, so that it is checked without other packages.
declare module 'node:events' {
  export class EventEmitter {
    on(event: string | symbol, listener: (...values: any[]) => void): this;
    once(event: string | symbol, listener: (...values: any[]) => void): this;
    off(event: string | symbol, listener: (...values: any[]) => void): this;
  }
}
