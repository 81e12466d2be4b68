import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** Pipes both directions: the least that a service in between can cost. */
const [, , target = ''] = process.argv;
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, response) => {
  const outgoing = request(target + (incoming.url ?? ''), {
    method: incoming.method ?? 'POST',
    headers: incoming.headers,
    agent,
  });
  outgoing.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  void pipeline(incoming, outgoing);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
