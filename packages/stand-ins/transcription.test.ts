import type OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StandIns, startStandIns } from './server.ts';
import { openaiClient } from './test-support/converse.ts';

let standIns: StandIns;
let client: OpenAI;
beforeAll(async () => {
  standIns = await startStandIns({ host: '127.0.0.1' });
  client = openaiClient(standIns.baseUrl);
});
afterAll(() => standIns.close());

const model = 'stand-in-speech';

/** A mono WAVE file of 8,000 bytes a second, with a chunk before its samples as recorders write them. */
function wavFile(seconds: number, statedBytes = seconds * 8_000): File {
  const head = Buffer.alloc(54);
  head.write('RIFF', 0);
  head.writeUInt32LE(46 + seconds * 8_000, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt32LE(8_000, 28);
  head.write('LIST', 36);
  head.writeUInt32LE(1, 40);
  head.write('data', 46);
  head.writeUInt32LE(statedBytes, 50);
  return new File([head, new Uint8Array(seconds * 8_000)], 'meeting.wav');
}

test('diarized_json has two speakers in turn over the real length of a WAVE file', async () => {
  const transcript = (await client.audio.transcriptions.create({
    file: wavFile(20),
    model,
    response_format: 'diarized_json',
    chunking_strategy: 'auto',
  })) as OpenAI.Audio.TranscriptionDiarized;
  expect(transcript).toMatchObject({ task: 'transcribe', duration: 20, language: 'english' });
  expect(transcript.segments.map(({ speaker }) => speaker)).toEqual(['A', 'B', 'A', 'B']);
  expect(transcript.segments.map(({ start, end }) => [start, end])).toEqual([
    [0, 5],
    [5, 10],
    [10, 15],
    [15, 20],
  ]);
  expect(transcript.segments.every(({ type }) => type === 'transcript.text.segment')).toBe(true);
  expect(transcript.text).toContain('stand-in');
  expect(transcript.text).toContain('meeting.wav');
});

test('verbose_json has language, duration and segments', async () => {
  const transcript = await client.audio.transcriptions.create({
    file: wavFile(4),
    model,
    response_format: 'verbose_json',
  });
  expect(transcript).toMatchObject({ language: 'english', duration: 4 });
  expect(transcript.segments).toHaveLength(4);
  expect(transcript.segments![3]).toMatchObject({ id: 3, start: 3, end: 4 });
});

test.each([0, 0xffff_ffff])(
  'a live recording whose header states the length %i is measured by its bytes',
  async (stated) => {
    const transcript = await client.audio.transcriptions.create({
      file: wavFile(3, stated),
      model,
      response_format: 'verbose_json',
    });
    expect(transcript.duration).toBe(3);
  },
);

test.each([
  [48_000, 3],
  [10, 1],
])('a file of another format with %i bytes lasts %i seconds', async (bytes, seconds) => {
  const transcript = await client.audio.transcriptions.create({
    file: new File([new Uint8Array(bytes)], 'a.mp3'),
    model,
    response_format: 'verbose_json',
  });
  expect(transcript.duration).toBe(seconds);
});

test('json and text have the same words', async () => {
  const file = () => new File(['abc'], 'a.mp3');
  const json = await client.audio.transcriptions.create({ file: file(), model });
  const text = await client.audio.transcriptions.create({ file: file(), model, response_format: 'text' });
  expect(text).toBe(`${json.text}\n`);
});

const form = (entries: Record<string, string | File>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(entries)) data.append(name, value);
  return data;
};

test.each([
  ['no file', form({ model }), 400],
  ['an empty file', form({ model, file: new File([], 'a.mp3') }), 400],
  ['an unknown format', form({ model, file: new File(['a'], 'a.mp3'), response_format: 'smoke' }), 400],
  ['another kind of model', form({ model: 'stand-in', file: new File(['a'], 'a.mp3') }), 404],
  ['a body that is no form', '{}', 400],
])('%s is refused with the error envelope', async (_what, body, status) => {
  const response = await fetch(`${standIns.baseUrl}/audio/transcriptions`, { method: 'POST', body });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
});

test('a form that breaks off is refused', async () => {
  const response = await fetch(`${standIns.baseUrl}/audio/transcriptions`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nabc',
  });
  expect(response.status).toBe(400);
});
