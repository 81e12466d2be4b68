import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { paidCalls } from '@errand/agent';
import { parseCatalogue, roleModel } from '@errand/models';
import type { Cost } from '@errand/money';
import { silentLog } from '@errand/platform';
import { createFetchMeter } from '@errand/web';
import { expect, onTestFinished, test } from 'vitest';
import { png } from '../../../test/support/forbidden-images.ts';
import { createPurse } from '../../../test/support/purse.ts';
import { wav } from '../../../test/support/wav.ts';
import type { RunInput } from '../store.ts';
import { makeReaders, type ReadersDeps } from './readers.ts';

type Answer = (request: { url: string; body: Buffer }, response: ServerResponse) => void;

async function serve(answer: Answer): Promise<string> {
  const server = createServer(async (request: IncomingMessage, response) => {
    answer({ url: request.url ?? '', body: await buffer(request) }, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const recording = wav(10);

const perSecondNanoEuro = 100_000;
const uploadKey = 'uploads/a/talk.wav';
const upload: RunInput = {
  agent: {
    question: 'q',
    attachment: { kind: 'recording', filename: 'talk.wav', url: 'https://bucket/talk.wav' },
  },
  origin: 'https://api.example',
  requestId: 'r',
  uploadKey,
};

/** Readers of a run that has this much left. The provider's server and the recording's host are one. */
async function makeSubject(nanoEuro: number, answer: Answer) {
  const asked: Buffer[] = [];
  const host = await serve((request, response) => {
    if (request.url === '/talk.wav') return void response.end(recording);
    if (request.url === '/x.png') return void response.end(png);
    asked.push(request.body);
    answer(request, response);
  });
  const upstream = { baseUrl: `http://${host}/v1`, model: 'any-diarize' };
  const catalogue = parseCatalogue(
    {
      models: [
        { id: 'ears', kind: 'speech', upstream, price: { perSecond: 0.0001 } },
        {
          id: 'eyes',
          kind: 'vision',
          upstream,
          imageTokens: 1_000,
          price: { inputPerMillionTokens: 1, outputPerMillionTokens: 10 },
        },
      ],
      roles: { speech: 'ears', vision: 'eyes' },
    },
    () => undefined,
  );
  const purse = createPurse(nanoEuro);
  const calls = paidCalls(purse);
  const deps: ReadersDeps = {
    calls,
    upstream: { clock: Date.now, log: silentLog },
    visionModel: roleModel(catalogue, 'vision'),
    speechModel: roleModel(catalogue, 'speech'),
    web: { allowedHosts: new Set([host]), meter: createFetchMeter() },
    files: {
      open: async () => ({
        body: Readable.from([recording]),
        bytes: recording.length,
        contentType: 'audio/wav',
      }),
      readRange: async (_: string, { offset, length }: { offset: number; length: number }) =>
        recording.subarray(offset, offset + length),
    } as Partial<ReadersDeps['files']> as ReadersDeps['files'],
  };
  return { host, purse, calls, asked, readers: makeReaders(deps, upload) };
}

const transcript: Answer = (_, response) => response.end('{"text":"High water.","duration":10}');
const hang = () => {
  const taken = Promise.withResolvers<void>();
  return { taken: taken.promise, answer: () => taken.resolve() };
};
const state = { step: 1, completions: 0 } as Parameters<ReturnType<typeof paidCalls>['toCost']>[0];
const never = () => new AbortController().signal;

const hosted = (host: string) => `http://${host}/talk.wav`;
const own = () => 'https://bucket/talk.wav';

test.each([
  ['hosted', hosted],
  ['uploaded', own],
])('a %s recording is transcribed if its seconds can be paid, and sent whole', async (_, link) => {
  const { host, purse, calls, asked, readers } = await makeSubject(11 * perSecondNanoEuro, transcript);
  const { costs = [] } = await readers.transcribe(link(host), never());
  expect(purse).toMatchObject({ leftNanoEuro: 0, heldNanoEuro: 11 * perSecondNanoEuro });
  expect(asked[0]?.includes(recording)).toBe(true);
  const [cost] = await calls.toCosts(state, 'forced-0', costs);
  expect(cost).toMatchObject({
    id: 'forced-0-0',
    seconds: 10,
    amountNanoEuro: 10 * perSecondNanoEuro,
    price: { perSecond: 0.0001 },
    upstream: `${host}/any-diarize`,
    step: 1,
    reservation: { id: 'hold' },
  });
  expect(purse).toMatchObject({ leftNanoEuro: perSecondNanoEuro, heldNanoEuro: 0 });
});

test.each([
  ['hosted', hosted],
  ['uploaded', own],
])('a %s recording whose seconds cannot be paid is not sent', async (_, link) => {
  const { host, asked, readers } = await makeSubject(11 * perSecondNanoEuro - 1, transcript);
  await expect(readers.transcribe(link(host), never())).rejects.toThrow(
    'The credits that are left do not suffice to transcribe the recording.',
  );
  expect(asked).toEqual([]);
});

test('a transcription that fails costs nothing and keeps nothing', async () => {
  const { host, purse, readers } = await makeSubject(1e9, (_, response) => response.writeHead(400).end('{}'));
  await expect(readers.transcribe(hosted(host), never())).rejects.toThrow('could not read the recording');
  expect(purse).toMatchObject({ leftNanoEuro: 1e9, heldNanoEuro: 0 });
});

test('an image gets a short answer if the run has no money left for more', async () => {
  const answer: Answer = ({ body }, response) => {
    const { max_tokens } = JSON.parse(body.toString()) as { max_tokens: number };
    const usage = { prompt_tokens: 900, completion_tokens: max_tokens, total_tokens: 900 + max_tokens };
    response.end(JSON.stringify({ choices: [{ message: { content: 'A pixel.' } }], usage }));
  };
  const { host, purse, calls, asked, readers } = await makeSubject(3_000_000, answer);
  const { costs = [] } = await readers.see(`http://${host}/x.png`, 'What?', never());
  const { max_tokens } = JSON.parse(asked[0]!.toString()) as { max_tokens: number };
  expect([max_tokens > 0, max_tokens < 4_096]).toEqual([true, true]);
  await calls.toCosts(state, 'forced-0', costs);
  expect(purse.leftNanoEuro).toBeGreaterThanOrEqual(0);
});

test('an image whose input cannot be paid is not shown', async () => {
  const { host, asked, readers } = await makeSubject(1_000, transcript);
  await expect(readers.see(`http://${host}/x.png`, 'What?', never())).rejects.toThrow(
    'The credits that are left do not suffice to look at an image.',
  );
  expect(asked).toEqual([]);
});

test.each([
  ['a transcription', 'transcribe', { seconds: 10, amountNanoEuro: 10 * perSecondNanoEuro }],
  ['a look at an image', 'see', { outputTokens: 0 }],
] as const)('a run that is stopped is charged %s that its provider has', async (_, what, charged) => {
  const { taken, answer } = hang();
  const { host, purse, calls, readers } = await makeSubject(1e9, answer);
  const stop = new AbortController();
  const work =
    what === 'see'
      ? readers.see(`http://${host}/x.png`, 'What?', stop.signal)
      : readers.transcribe(hosted(host), stop.signal);
  await taken;
  stop.abort(new Error('stopped'));
  await expect(work).rejects.toThrow('stopped');
  const costs: Cost[] = await calls.brokenOff(state);
  expect(costs).toEqual([expect.objectContaining({ ...charged, brokenOff: true, id: 'broken-off-0-0' })]);
  await calls.end();
  expect(purse).toMatchObject({ heldNanoEuro: 0, spentNanoEuro: costs[0]?.amountNanoEuro });
});
