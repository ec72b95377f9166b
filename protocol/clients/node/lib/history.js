// Asking over HTTP what has become of a push.

import http from 'node:http';
import https from 'node:https';
import { RouterError, lost } from './frames.js';

/** The longest answer that is read, in bytes. Beyond: an error. */
const LONGEST = 1 << 20;

/** The history of a push of a publisher with these options; see `Publisher.history`. */
export function askHistory(options, seq, after) {
  const { httpAddress, app, producer, token, plaintext, ca, cert, key, connectTimeout } = options;
  if (!httpAddress) throw new TypeError('the option httpAddress is missing');
  const names = [app, 'pushes', producer, seq].map((name) => encodeURIComponent(name)).join('/');
  const query = after == null ? '' : `?after=${encodeURIComponent(after)}`;
  const url = `${plaintext ? 'http' : 'https'}://${httpAddress}/v1/apps/${names}${query}`;
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  // Questions are rare: none of them keeps a connection.
  const how = { headers, ca, cert, key, agent: false, timeout: connectTimeout };
  return new Promise((resolve, reject) => {
    const request = (plaintext ? http : https).get(url, how, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part) => {
        text += part;
        if (text.length > LONGEST) answer.destroy(new Error('the answer is too long'));
      });
      answer.on('error', (error) => reject(lost(error.message)));
      answer.on('end', () => {
        try {
          resolve(read(answer.statusCode, text));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${connectTimeout} ms`)));
    request.on('error', (error) => reject(lost(error.message)));
  });
}

/** The history that an answer has. Throws the RouterError that it says, or that it is none of a router. */
function read(status, text) {
  let body = {};
  try {
    body = JSON.parse(text);
  } catch { /* It is judged by what it lacks. */ }
  if (status === 200 && Array.isArray(body?.widgets)) return body;
  const retry = status === 429 || status >= 500 ? 'later' : 'no';
  throw new RouterError(body?.code ?? `status-${status}`, retry, body?.detail ?? 'the answer is none of a router');
}
