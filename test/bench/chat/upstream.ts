import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sharedMicroseconds, stampDigits, stampMark } from './stamps.ts';

/**
 * A model provider for the benchmark. A stream has `max_tokens` chunks, one a millisecond by the clock (`model: paced`; the
 * second argument may name another pace) or all at once. It writes prepared bytes to plain sockets: CPU that it takes is missing for the targets.
 */

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
const frame = (text: string) => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
const headOf = (...fields: string[]) => Buffer.from(`HTTP/1.1 200 OK\r\n${fields.join('\r\n')}\r\n\r\n`);
const usageOf = (tokens: number) => ({
  prompt_tokens: 20,
  completion_tokens: tokens,
  total_tokens: 20 + tokens,
});

const word = stampMark + '0'.repeat(stampDigits);
const streamHead = headOf('Content-Type: text/event-stream', 'Transfer-Encoding: chunked');
const content = frame(chunk([{ index: 0, delta: { content: word }, logprobs: null, finish_reason: null }]));
const stampAt = content.indexOf(stampMark) + stampMark.length;

/** A chunk with the time of its write. */
function stampedContent(): Buffer {
  const bytes = Buffer.from(content);
  bytes.write(String(sharedMicroseconds()).padStart(stampDigits, '0'), stampAt, 'latin1');
  return bytes;
}

const tailOf = (chunks: number) =>
  Buffer.concat([
    frame(chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }])),
    frame(`${chunk([], { usage: usageOf(chunks) })}data: [DONE]\n\n`),
    Buffer.from('0\r\n\r\n'),
  ]);

interface Prepared {
  tail: Buffer;
  /** The whole response; its chunks have no time. */
  stream: Buffer;
}

const prepared = new Map<number, Prepared>();

function prepare(chunks: number): Prepared {
  const known = prepared.get(chunks);
  if (known) return known;
  const tail = tailOf(chunks);
  const stream = Buffer.concat([streamHead, ...Array.from({ length: chunks }, () => content), tail]);
  prepared.set(chunks, { tail, stream });
  return { tail, stream };
}

const plainWords = 50;
const json = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'bench-upstream',
  choices: [
    { index: 0, message: { role: 'assistant', content: word.repeat(plainWords) }, finish_reason: 'stop' },
  ],
  usage: usageOf(plainWords),
});
const plain = Buffer.concat([
  headOf('Content-Type: application/json', `Content-Length: ${json.length}`),
  Buffer.from(json),
]);

interface Progress {
  startedAt: number;
  sent: number;
  chunks: number;
}

const paced = new Map<Socket, Progress>();
const millisecondsOfChunk = Number(process.argv[3] ?? 1);

/** All streams are written in one beat, like the batches of a model server. A late beat writes every chunk that is due. */
setInterval(() => {
  const now = performance.now();
  for (const [socket, progress] of paced) {
    const due = Math.min(progress.chunks, Math.floor((now - progress.startedAt) / millisecondsOfChunk));
    for (; progress.sent < due; progress.sent++) socket.write(stampedContent());
    if (progress.sent < progress.chunks) continue;
    paced.delete(socket);
    socket.write(prepare(progress.chunks).tail);
  }
}, 1);

function answer(socket: Socket, body: string): void {
  const { stream: streaming, model, max_tokens: chunks } = JSON.parse(body || '{}');
  if (!streaming) return void socket.write(plain);
  if (model !== 'paced') return void socket.write(prepare(chunks).stream);
  socket.write(streamHead);
  paced.set(socket, { startedAt: performance.now(), sent: 0, chunks });
}

/** Where the body starts and ends, and where the next request starts. Undefined until the whole body has come. */
function findBody(text: string): { start: number; end: number; next: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const start = headEnd + 4;
  const head = text.slice(0, headEnd);
  if (!/transfer-encoding: *chunked/i.test(head)) {
    const end = start + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    return text.length < end ? undefined : { start, end, next: end };
  }
  // The targets send a body in one chunk.
  const last = text.indexOf('\r\n0\r\n\r\n', start);
  return last === -1 ? undefined : { start: text.indexOf('\r\n', start) + 2, end: last, next: last + 7 };
}

const server = createServer((socket) => {
  let text = '';
  const forget = () => void paced.delete(socket);
  socket.setNoDelay(true).on('error', forget).on('close', forget);
  socket.on('data', (packet) => {
    text += packet.toString('latin1');
    for (let body = findBody(text); body; body = findBody(text)) {
      answer(socket, text.slice(body.start, body.end));
      text = text.slice(body.next);
    }
  });
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
});
