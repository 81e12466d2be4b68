import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { silentLog } from '@errand/platform';
import { Busboy } from '@fastify/busboy';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LocalServer, listen, sendText, serve } from '../../../test/support/local-server.ts';
import type { Model } from '../catalogue.ts';
import { parseCatalogue } from '../parse-catalogue.ts';
import { type OpenRecording, SlowRecording } from './protocol.ts';
import { transcribe } from './transcribe.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  fields: Record<string, string>;
  file: { name: string; type: string; text: string } | undefined;
  body: string;
}

let baseUrl: string;
let received: Received[] = [];
let answer: (request: Received) => { status?: number; body: unknown };

beforeAll(async () => {
  const server = await serve(async ({ path, headers, bytes }, response) => {
    const form = await readForm(headers, bytes);
    const one = { path, headers, ...form, body: bytes.toString('latin1') };
    received.push(one);
    const { status = 200, body } = answer(one);
    sendText(response, status, typeof body === 'string' ? body : JSON.stringify(body));
  });
  baseUrl = `${server.url}/v1`;
  return server.close;
});
beforeEach(() => {
  received = [];
});

async function readForm(
  headers: IncomingHttpHeaders,
  bytes: Buffer,
): Promise<Pick<Received, 'fields' | 'file'>> {
  const form: Pick<Received, 'fields' | 'file'> = { fields: {}, file: undefined };
  if (!headers['content-type']?.startsWith('multipart/')) return form;
  const parser = new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] } });
  parser.on('field', (name, value) => {
    form.fields[name] = value;
  });
  parser.on('file', (_field, stream, name, _encoding, type) => {
    const file = { name, type, text: '' };
    form.file = file;
    stream.on('data', (part: Buffer) => {
      file.text += part.toString('latin1');
    });
  });
  parser.end(bytes);
  await once(parser, 'finish');
  return form;
}

const deps = { clock: Object.assign(() => Date.now(), { wait: async () => {} }), log: silentLog };
const modelAt = (upstream: object, ...fallbacks: object[]): Model =>
  parseCatalogue(
    { models: [{ id: 'ears', kind: 'speech', upstream, fallbacks, price: { perSecond: 0.0001 } }] },
    () => 'sk-secret',
  ).models[0] as Model;
const openai = (model: string) => modelAt({ baseUrl, model, apiKeyEnv: 'KEY' });

const recording =
  (
    make: () => Iterable<Buffer> | AsyncIterable<Buffer> = () => [Buffer.from('sound')],
    more: { bytes?: number } = {},
  ): OpenRecording =>
  async () => ({
    body: Readable.from(make()),
    filename: 'a "meeting".mp3',
    contentType: 'audio/mpeg',
    ...more,
  });

const diarized = {
  duration: 12.5,
  text: 'Hello. Hi. Well.',
  segments: [
    { type: 'transcript.text.segment', id: '1', start: 0, end: 2.5, speaker: 'B', text: ' Hello.' },
    { type: 'transcript.text.segment', id: '2', start: 2.5, end: 4, speaker: 'A', text: 'Hi.' },
    { type: 'transcript.text.segment', id: '3', start: 4, end: 12, speaker: 'B', text: 'Well.' },
  ],
};

describe("OpenAI's protocol", () => {
  test('sends a form, and numbers the speakers in the order in which they speak', async () => {
    answer = () => ({ body: diarized });
    expect(await transcribe(deps, openai('gpt-4o-transcribe-diarize'), recording())).toEqual({
      durationSeconds: 12.5,
      language: 'unknown',
      segments: [
        { startSeconds: 0, endSeconds: 2.5, speaker: 1, text: 'Hello.' },
        { startSeconds: 2.5, endSeconds: 4, speaker: 2, text: 'Hi.' },
        { startSeconds: 4, endSeconds: 12, speaker: 1, text: 'Well.' },
      ],
    });
    expect(received[0]).toMatchObject({
      path: '/v1/audio/transcriptions',
      headers: { authorization: 'Bearer sk-secret' },
      fields: {
        model: 'gpt-4o-transcribe-diarize',
        response_format: 'diarized_json',
        chunking_strategy: 'auto',
      },
      file: { name: 'a %22meeting%22.mp3', type: 'audio/mpeg', text: 'sound' },
    });
  });

  test('takes times and language without speakers', async () => {
    answer = () => ({
      body: {
        duration: '3.2',
        language: 'german',
        text: 'x',
        segments: [{ start: 0, end: 3, text: ' Guten Tag' }],
      },
    });
    expect(await transcribe(deps, openai('whisper-1'), recording())).toEqual({
      durationSeconds: 3.2,
      language: 'german',
      segments: [{ startSeconds: 0, endSeconds: 3, speaker: 1, text: 'Guten Tag' }],
    });
    expect(received[0]?.fields).toEqual({
      model: 'whisper-1',
      response_format: 'verbose_json',
      'timestamp_granularities[]': 'segment',
    });
  });

  test('takes text alone, with the seconds from the usage', async () => {
    answer = () => ({ body: { text: 'Hello', usage: { type: 'duration', seconds: 4 } } });
    const { segments } = await transcribe(deps, openai('gpt-4o-transcribe'), recording());
    expect(segments).toEqual([{ startSeconds: 0, endSeconds: 4, speaker: 1, text: 'Hello' }]);
  });

  test('asks a server that refuses a format for the next simpler one', async () => {
    answer = ({ fields }) =>
      fields.response_format === 'verbose_json'
        ? { body: { duration: 1, text: 'Hi' } }
        : { status: 422, body: {} };
    const { segments } = await transcribe(deps, openai('ears-1'), recording());
    expect(segments).toHaveLength(1);
    expect(received.map(({ fields }) => fields.response_format)).toEqual(['diarized_json', 'verbose_json']);
  });

  test.each(['<html>', '{"text":"no duration"}', 'null'])('%s is unreadable', async (body) => {
    answer = () => ({ body });
    await expect(transcribe(deps, openai('whisper-1'), recording())).rejects.toMatchObject({
      kind: 'unreadable',
    });
  });

  test('retries a recording that can be opened again, over the fallbacks too', async () => {
    answer = () => (received.length < 3 ? { status: 503, body: {} } : { body: diarized });
    const model = modelAt({ baseUrl, model: 'a-diarize' }, { baseUrl, model: 'b-diarize' });
    await transcribe(deps, model, recording());
    expect(received.map(({ fields }) => fields.model)).toEqual(['a-diarize', 'b-diarize', 'a-diarize']);
  });

  test('says the length of the form where it knows the recording’s', async () => {
    answer = () => ({ body: diarized });
    await transcribe(deps, openai('x-diarize'), recording(undefined, { bytes: 5 }));
    expect(Number(received[0]?.headers['content-length'])).toBe(received[0]?.body.length);
  });
});

test("Deepgram's protocol", async () => {
  answer = () => ({
    body: {
      metadata: { duration: 9.25 },
      results: {
        channels: [{ detected_language: 'de', alternatives: [{ transcript: 'Guten Tag' }] }],
        utterances: [
          { start: 0.1, end: 1, speaker: 1, transcript: 'Guten Tag' },
          { start: 1.5, end: 2, speaker: 0, transcript: 'Hallo' },
        ],
      },
    },
  });
  for (const base of [baseUrl, baseUrl.replace('/v1', '')]) {
    const model = modelAt({ baseUrl: base, model: 'nova-3', apiKeyEnv: 'KEY', protocol: 'deepgram' });
    expect(await transcribe(deps, model, recording(undefined, { bytes: 5 }))).toEqual({
      durationSeconds: 9.25,
      language: 'de',
      segments: [
        { startSeconds: 0.1, endSeconds: 1, speaker: 1, text: 'Guten Tag' },
        { startSeconds: 1.5, endSeconds: 2, speaker: 2, text: 'Hallo' },
      ],
    });
    const request = received.at(-1);
    expect(request).toMatchObject({
      body: 'sound',
      headers: { authorization: 'Token sk-secret', 'content-type': 'audio/mpeg', 'content-length': '5' },
    });
    expect(request?.path).toMatch(/^\/v1\/listen\?model=nova-3&diarize=true&/);
  }
});

test('a server that says nothing in `firstByteSeconds` is followed by the next one, which gets the recording from its start', async () => {
  let end = () => {};
  const startTimer = (_: number, onEnd: () => void) => {
    end = onEnd;
    return () => {};
  };
  const silent = await serve(() => end());
  answer = () => ({ body: diarized });
  const model = modelAt({ baseUrl: `${silent.url}/v1`, model: 'x-diarize' }, { baseUrl, model: 'x-diarize' });
  const clock = Object.assign(() => Date.now(), { startTimer });
  await transcribe({ ...deps, clock }, { ...model, firstByteSeconds: 20 }, recording());
  expect(received.map(({ file }) => file?.text)).toEqual(['sound']);
  await silent.close();
});

test('a recording that breaks off is an error of its reader, not of the upstream', async () => {
  async function* broken() {
    yield Buffer.from('so');
    throw new Error('source broke');
  }
  await expect(transcribe(deps, openai('x-diarize'), recording(broken))).rejects.toThrow('source broke');
});

describe('a server that gives up on a recording that comes too slowly has not failed', () => {
  let asked = 0;
  let giveUp: (response: ServerResponse) => void;
  let impatient: LocalServer;
  beforeAll(async () => {
    impatient = await listen((request, response) => {
      asked++;
      request.once('data', () => giveUp(response));
    });
    return impatient.close;
  });
  beforeEach(() => {
    asked = 0;
  });

  /** Its first part comes at once, the next one never. */
  const slow: OpenRecording = async () => ({
    body: Readable.from(
      (async function* () {
        yield Buffer.from('RIFF');
        await new Promise(() => {});
      })(),
    ),
    filename: 'talk.wav',
    contentType: 'audio/wav',
  });
  const model = () => ({
    ...openai('x-diarize'),
    upstream: { baseUrl: impatient.url, model: 'x-diarize' },
  });

  test('if it says so', async () => {
    giveUp = (response) => response.writeHead(408, { Connection: 'close' }).end();
    await expect(transcribe(deps, model(), slow)).rejects.toBeInstanceOf(SlowRecording);
    expect(asked).toBe(1);
  });

  test('if it breaks the connection off after a while', async () => {
    let now = 0;
    giveUp = (response) => {
      now += 10_000;
      response.destroy();
    };
    await expect(transcribe({ ...deps, clock: () => now }, model(), slow)).rejects.toBeInstanceOf(
      SlowRecording,
    );
    expect(asked).toBe(1);
  });

  test('but has if it breaks off at once', async () => {
    giveUp = (response) => response.destroy();
    await expect(transcribe(deps, model(), slow)).rejects.toMatchObject({ kind: 'broken' });
    expect(asked).toBe(3);
  });
});

test('a recording is not held in memory', async () => {
  let sent = 0;
  async function* large() {
    for (let i = 0; i < 200; i++) {
      sent++;
      yield Buffer.alloc(256 * 1024);
    }
  }
  await using slow = await listen((request, response) => {
    request.once('data', () => {
      request.pause();
      setImmediate(() => response.writeHead(413, { Connection: 'close' }).end('{}'));
    });
  });
  const model = modelAt({ baseUrl: slow.url, model: 'x-diarize' });
  await expect(transcribe(deps, model, recording(large))).rejects.toMatchObject({ status: 413 });
  expect(sent).toBeLessThan(200);
});
