import { OpenAI } from 'openai-streams';
import { OpenAI as onNode } from 'openai-streams/node';
import { expect } from 'vitest';
import { chunk, done, event, hello, streams } from '../../chat/support/chunks.ts';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import { type Errand, startErrand } from '../support/errand.ts';
import { isDown } from '../support/speak.ts';
import { chat } from './connect.ts';

const body = { model: 'writer', messages: [{ role: 'user', content: 'Say hello' }] };
const at = ({ url, key }: Errand) => ({ apiBase: `${url}/v1`, apiKey: key });

const read = (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => new Response(stream).text();
const ask = async ({ url, key }: Errand) => read(await chat(url, key, body));

client('openai-streams', 'chat', ({ works }) => {
  works('`chat` as a stream of text', async (errand) => {
    errand.upstream.script(hello);
    expect(await ask(errand)).toBe('Hello');
  });

  works('letters that the provider cuts in two', async (errand) => {
    const bytes = Buffer.from(event(chunk({ content: 'Köln' })));
    const cut = bytes.indexOf('ö') + 1;
    const rest = event(chunk({}, 'stop')) + done;
    errand.upstream.script(streams(bytes.subarray(0, cut), bytes.subarray(cut), rest));
    expect(await ask(errand)).toBe('Köln');
  });

  works('`mode: "raw"`, with usage', async (errand) => {
    errand.upstream.script(hello);
    const raw = await read(await OpenAI('chat', body, { ...at(errand), mode: 'raw' }));
    expect(raw).toContain('"content":"Hel"');
    expect(raw).toContain('"prompt_tokens":20');
  });

  works('`openai-streams/node`, as a `Readable`', async (errand) => {
    errand.upstream.script(hello);
    const pieces = await collect(await onNode('chat', body, at(errand)));
    expect(pieces.map((piece) => Buffer.from(piece).toString()).join('')).toBe('Hello');
  });

  works('`controller` ends the provider’s work', async (errand) => {
    const left = Promise.withResolvers<void>();
    errand.upstream.script(async (wire) => {
      await wire.head();
      await wire.send(event(chunk({ content: 'Hello' })));
      void wire.closed.then(left.resolve);
    });
    const controller = new AbortController();
    const reader = (await OpenAI('chat', body, { ...at(errand), controller })).getReader();
    await reader.read();
    controller.abort();
    await left.promise;
  });
});

client('openai-streams', 'refusals', ({ works, fails }) => {
  works('404: `INVALID_MODEL`, which it says of every path that is not served', async (errand) => {
    const refused = OpenAI('completions', { model: 'writer', prompt: 'x' }, at(errand));
    await expect(refused).rejects.toMatchObject({ type: 'INVALID_MODEL' });
  });

  const readTwice = {
    because: 'it reads every refusal twice, so that a `TypeError` takes its place',
    error: { name: 'TypeError', message: expect.stringContaining('locked') },
  };
  fails('400: an error with the service’s words', readTwice, async ({ url, key }) => {
    await read(await chat(url, key, { ...body, model: 'nobody' }));
  });
  fails('402: an error with the service’s words', readTwice, async (errand) => {
    const { key } = await errand.service.newAccount('0');
    await ask({ ...errand, key });
  });
  fails('503: an error with the service’s words', readTwice, async (errand) => {
    errand.upstream.script(isDown);
    await ask(errand);
  });

  const expectsJson = {
    because: 'it expects JSON, and the service answers with a text',
    error: { name: 'SyntaxError' },
  };
  fails('401: `INVALID_API_KEY`', expectsJson, async (errand) => {
    await ask({ ...errand, key: 'wrong' });
  });
  fails('429: `RATE_LIMIT_REACHED`', expectsJson, async () => {
    const limited = await startErrand({ RATE_LIMIT_REQUESTS: '1' });
    await limited.service.request('/v1/models');
    await ask(limited).finally(limited.stop);
  });

  const readsDeltas = {
    because: 'it takes every event for a chunk with a delta: `UNKNOWN`',
    error: { type: 'UNKNOWN' },
  };
  fails('an answer that breaks off: an error with the service’s words', readsDeltas, async (errand) => {
    errand.upstream.script(streams(event(chunk({ content: 'Hel' }))));
    await ask(errand);
  });
  fails('`stream_options: { include_usage: true }`', readsDeltas, async (errand) => {
    errand.upstream.script(hello);
    await read(await OpenAI('chat', { ...body, stream_options: { include_usage: true } }, at(errand)));
  });
});
