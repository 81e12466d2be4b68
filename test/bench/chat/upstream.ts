import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chunksPerStream } from './constants.ts';

/** A model provider for the benchmark: 200 chunks, one a millisecond (`model: paced`) or as fast as they go. */

const word = ' lorem';

const chunk = (choices: object[], more: object = {}) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'bench-upstream',
    system_fingerprint: 'fp_1',
    choices,
    ...more,
  })}\n\n`;

const usage = { prompt_tokens: 20, completion_tokens: chunksPerStream, total_tokens: 20 + chunksPerStream };
const content = chunk([{ index: 0, delta: { content: word }, logprobs: null, finish_reason: null }]);
const tail =
  chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }]) +
  chunk([], { usage }) +
  'data: [DONE]\n\n';
const plain = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'bench-upstream',
  choices: [{ index: 0, message: { role: 'assistant', content: word.repeat(50) }, finish_reason: 'stop' }],
  usage,
});

function streamPaced(response: ServerResponse): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (response.destroyed) return clearInterval(timer);
    response.write(content);
    if (++sent < chunksPerStream) return;
    clearInterval(timer);
    response.end(tail);
  }, 1);
}

function streamAtOnce(response: ServerResponse): void {
  for (let sent = 0; sent < chunksPerStream; sent++) response.write(content);
  response.end(tail);
}

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return void response.writeHead(404).end();
  const { stream, model } = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'));
  if (!stream) {
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': plain.length })
      .end(plain);
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  if (model === 'paced') streamPaced(response);
  else streamAtOnce(response);
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
});
