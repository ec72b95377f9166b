export { RouterError } from './lib/frames.js';
export { Gateway } from './lib/gateway.js';
export { Publisher } from './lib/publisher.js';
