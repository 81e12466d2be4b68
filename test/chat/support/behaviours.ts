import type { UpstreamScript } from '../../support/scripted-upstream.ts';
import { secretKey } from './chat-service.ts';
import { chunk, done, event, hello, streams, upstreamUsage, usageChunk } from './chunks.ts';

export const content = [event(chunk({ role: 'assistant', content: 'Hel' })), event(chunk({ content: 'lo' }))];
export const stop = event(chunk({}, 'stop'));
const whole = [...content, stop, event(usageChunk), done].join('');
const cutEvery = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
const accented = [event(chunk({ content: 'Grüße 漢字 👩‍🚀' })), stop, event(usageChunk), done].join('');

/** Counted by us with o200k: 3 + 3 + role + 'Say hello', and what was delivered. */
export const counted = {
  prompt_tokens: 9,
  completion_tokens: 1,
  total_tokens: 10,
  prompt_tokens_details: { cached_tokens: 0 },
};

const reasoned = {
  prompt_tokens: 20,
  total_tokens: 51,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 30 },
};

/** What an upstream does in a stream, and what callers get of it. */
interface Behaviour {
  name: string;
  script: UpstreamScript;
  text?: string;
  usage?: object;
  broken?: boolean;
}

export const behaviours: Behaviour[] = [
  { name: 'the usual: usage after finish_reason, with empty choices', script: hello },
  { name: 'everything in one packet', script: streams(whole) },
  { name: 'packets of one byte', script: streams(...cutEvery(Buffer.from(whole), 1)) },
  {
    name: 'characters of several bytes, cut by packets',
    script: streams(...cutEvery(Buffer.from(accented), 3)),
    text: 'Grüße 漢字 👩‍🚀',
  },
  {
    name: 'lines that end in CRLF',
    script: streams(...cutEvery(Buffer.from(whole.replaceAll('\n', '\r\n')), 7)),
  },
  { name: 'lines that end in CR', script: streams(whole.replaceAll('\n', '\r')) },
  {
    name: 'comments, names, ids and retries between the events',
    script: streams(
      ': ping\n\n',
      'retry: 10\n',
      content[0] ?? '',
      ': x\n',
      'event: chunk\nid: 7\n',
      content[1] ?? '',
      stop,
      event(usageChunk),
      done,
    ),
  },
  {
    name: 'spaces as Python writes them, and none after the colon',
    script: streams(
      ...[chunk({ content: 'Hel' }), chunk({ content: 'lo' }), chunk({}, 'stop'), usageChunk].map(
        (one) => `data:${JSON.stringify(one, null, 1).replaceAll('\n', ' ')}\n\n`,
      ),
      'data:[DONE]\n\n',
    ),
  },
  {
    name: 'usage with finish_reason',
    script: streams(...content, event(chunk({}, 'stop', { usage: upstreamUsage })), done),
  },
  {
    name: 'usage second last, before the finish_reason',
    script: streams(...content, event(usageChunk), stop, done),
  },
  {
    name: 'usage null on every chunk but one',
    script: streams(
      ...['Hel', 'lo'].map((text) => event(chunk({ content: text }, null, { usage: null, extra: 'x' }))),
      event(chunk({}, 'stop', { usage: null })),
      event(usageChunk),
      done,
    ),
  },
  {
    name: 'usage several times, growing',
    script: streams(
      event(chunk({ content: 'Hel' }, null, { usage: { prompt_tokens: 20, completion_tokens: 1 } })),
      event(chunk({ content: 'lo' }, null, { usage: { prompt_tokens: 20, completion_tokens: 2 } })),
      event(chunk({}, 'stop', { usage: upstreamUsage })),
      event(usageChunk),
      done,
    ),
  },
  { name: 'usage never', script: streams(...content, stop, done), usage: counted },
  {
    name: 'usage that is none',
    script: streams(...content, stop, event({ ...usageChunk, usage: { tokens: 'many' } }), done),
    usage: counted,
  },
  {
    name: 'usage of the input alone',
    script: streams(...content, stop, event({ ...usageChunk, usage: { prompt_tokens: 20 } }), done),
    usage: counted,
  },
  {
    name: 'usage of the input alone after a full one',
    script: streams(
      ...content,
      stop,
      event(usageChunk),
      event({ ...usageChunk, usage: { prompt_tokens: 7 } }),
      done,
    ),
  },
  {
    name: 'usage that grows, and an upstream that dies before it is told to the end',
    script: async (wire) => {
      await wire.head();
      const usage = { prompt_tokens: 20, completion_tokens: 1 };
      await wire.send(event(chunk({ content: 'Hel' }, null, { usage })), content[1] ?? '');
      await wire.send(event(chunk({ content: ' to all of the world' })));
      wire.reset();
    },
    text: 'Hello to all of the world',
    usage: {
      prompt_tokens: 20,
      completion_tokens: 6,
      total_tokens: 26,
      prompt_tokens_details: { cached_tokens: 0 },
    },
    broken: true,
  },
  {
    name: 'reasoning that is counted beside the completion',
    script: streams(
      ...content,
      stop,
      event({ ...usageChunk, usage: { ...reasoned, completion_tokens: 1 } }),
      done,
    ),
    usage: { ...reasoned, completion_tokens: 31 },
  },
  { name: 'no [DONE], but a finish_reason', script: streams(...content, stop, event(usageChunk)) },
  {
    name: 'a last line without its end',
    script: streams(...content, stop, event(usageChunk), 'data: [DONE]'),
  },
  { name: 'neither [DONE] nor finish_reason', script: streams(...content), usage: counted, broken: true },
  {
    name: 'an upstream that dies in the middle of a chunk',
    script: async (wire) => {
      await wire.head();
      await wire.send(...content, 'data: {"id":"chatcmpl-up","cho');
      wire.reset();
    },
    usage: counted,
    broken: true,
  },
  {
    name: 'an error in the middle of the stream',
    script: streams(...content, event({ error: { message: `bad key ${secretKey}`, code: 500 } })),
    usage: counted,
    broken: true,
  },
  {
    name: 'something that is no JSON',
    script: streams(...content, event('<html>no</html>'), done),
    usage: counted,
    broken: true,
  },
];
