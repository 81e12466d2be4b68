import { createServer } from 'node:http';

/** A provider whose answers are short, or 4 MB where the last message asks for a flood. */

const floodPieces = 4_096;
const piece = 'This is a part of an answer that floods. '.repeat(25);
const usage = { prompt_tokens: 20, completion_tokens: 20, total_tokens: 40 };
const base = { id: 'chatcmpl-bounds', created: 1_700_000_000, model: 'bounds' };
const choice = (more: object) => [{ index: 0, logprobs: null, ...more }];

const server = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString();
  const isFlood = /"Flood\b/.test(text);
  const isStream = /"stream":true/.test(text);
  response.on('error', () => {});
  if (!isStream) {
    const message = { role: 'assistant', content: piece.repeat(isFlood ? floodPieces : 1) };
    const choices = choice({ message, finish_reason: 'stop' });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let room = Promise.withResolvers<void>();
  const makeRoom = () => {
    room.resolve();
    room = Promise.withResolvers();
  };
  response.on('drain', makeRoom).on('close', makeRoom);
  const send = async (choices: object[], more: object = {}) => {
    const chunk = JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more });
    if (!response.destroyed && !response.write(`data: ${chunk}\n\n`)) await room.promise;
  };
  const content = choice({ delta: { role: 'assistant', content: piece }, finish_reason: null });
  for (let sent = 0; sent < (isFlood ? floodPieces : 1) && !response.destroyed; sent++) await send(content);
  await send(choice({ delta: {}, finish_reason: 'stop' }));
  await send([], { usage });
  response.end('data: [DONE]\n\n');
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`ready ${typeof address === 'object' ? address?.port : ''}\n`);
});
