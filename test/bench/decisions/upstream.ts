import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A System One server whose answers are known beforehand. `POST /script` sets the answer and the pause before it.
 * `GET /own` tells how many milliseconds the last request took, from its arrival to the last byte of its answer.
 */

let script = { answer: '', pauseMilliseconds: 0 };
let own = 0;

async function readAll(incoming: IncomingMessage): Promise<string> {
  return Buffer.concat(await incoming.toArray()).toString('utf8');
}

const server = createServer(async (incoming, response) => {
  const startedAt = performance.now();
  const body = await readAll(incoming);
  if (incoming.url === '/own') return void response.end(String(own));
  if (incoming.url === '/script') {
    script = JSON.parse(body);
    return void response.end();
  }
  if (script.pauseMilliseconds > 0) await pause(script.pauseMilliseconds);
  const length = Buffer.byteLength(script.answer);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
  response.end(script.answer);
  own = performance.now() - startedAt;
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
