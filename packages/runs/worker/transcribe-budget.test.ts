import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { findModel, parseCatalogue } from '@errand/models';
import { silentLog } from '@errand/platform';
import { createFetchMeter } from '@errand/web';
import { expect, onTestFinished, test } from 'vitest';
import { unlimitedCalls } from '../../../test/support/purse.ts';
import { makeReaders, type ReadersDeps } from './readers.ts';

async function serve(answer: (path: string, body: Buffer) => { status: number; body: string | Buffer }) {
  const server = createServer(async (request, response) => {
    const { status, body } = answer(request.url ?? '', await buffer(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a recording counts once against the budget of its run, though a server refuses its first formats', async () => {
  const recording = Buffer.from(`RIFF\0\0\0\0WAVE${'x'.repeat(10_000)}`);
  let sent = 0;
  const speech = await serve(() => {
    sent++;
    if (sent < 3) return { status: 400, body: '{"error":{"message":"no such format"}}' };
    return { status: 200, body: '{"text":"High water.","duration":1}' };
  });
  const host = await serve(() => ({ status: 200, body: recording }));
  const model = {
    id: 'ears',
    kind: 'speech',
    upstream: { baseUrl: `http://${speech}/v1`, model: 'custom-asr' },
    price: { perSecond: 0.0001 },
  };
  const catalogue = parseCatalogue({ models: [model], roles: { speech: 'ears' } }, () => undefined);
  const meter = createFetchMeter();
  const deps: ReadersDeps = {
    upstream: { clock: Date.now, log: silentLog },
    visionModel: undefined,
    calls: unlimitedCalls(),
    speechModel: findModel(catalogue, 'ears')?.model,
    web: { allowedHosts: new Set([host]), meter },
    files: {} as ReadersDeps['files'],
  };
  const input = { agent: { question: 'What is said?' }, origin: 'https://api.example', requestId: 'r' };
  const { text } = await makeReaders(deps, input).transcribe(
    `http://${host}/talk.wav`,
    new AbortController().signal,
  );
  expect([text.includes('High water.'), sent]).toEqual([true, 3]);
  expect(meter.fetched()).toEqual({ bytes: recording.length, hosts: ['127.0.0.1'] });
});
