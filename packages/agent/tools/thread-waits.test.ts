import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DocumentError, readInThread } from '@errand/documents';
import { silentLog, ThreadError, watchWaits } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../data.ts';
import { explainFailure } from '../reading/open-address.ts';
import { keptInMemory } from '../test-support/kept-in-memory.ts';
import { agentTools, type ToolDeps } from './index.ts';

let server: Server;
let host: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader('Content-Type', request.url === '/a.csv' ? 'text/csv' : 'text/html');
    response.end(request.url === '/a.csv' ? 'ferry,leaves\nnorth,six' : '<p>The ferry leaves at six.</p>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const makeTools = () =>
  agentTools({
    log: silentLog,
    web: { allowedHosts: new Set([host]) },
    documents: readInThread,
    documentConversionEnabled: true,
    material: keptInMemory(),
    transcribe: async () => ({ text: '[0:00] Speaker 1: At six.' }),
  } as Partial<ToolDeps> as ToolDeps);

test.each([
  ['web_crawl', '/'],
  ['document_parse', '/a.csv'],
  ['audio_transcribe', '/a.mp3'],
])(
  '%s tells the clock of its call of each wait for a thread, also when it reads again',
  async (name, path) => {
    const tool = makeTools().find((one) => one.name === name)!;
    const read = async (sources: Source[]) => {
      const { signal } = new AbortController();
      const told: boolean[] = [];
      watchWaits(signal, (isWaiting) => void told.push(isWaiting));
      const room = { wholeCharacters: 1_000, shownCharacters: 1_000 };
      const input = {
        signal,
        afterOutside: false,
        callKey: '1-1-0',
        question: 'When?',
        sources,
        room,
        savedFiles: new Map(),
        savedOutside: new Set<string>(),
      };
      return { told, answer: await tool.run({ url: `http://${host}${path}` }, input) };
    };
    const first = await read([]);
    const [source] = first.answer.cited?.sources ?? [];
    const second = await read([{ number: 1, ...source! }]);
    expect([first.told, second.told]).toEqual([
      [true, false],
      [true, false],
    ]);
  },
);

test.each([
  ['timeout', 'The material could not be searched within 30 seconds. Read it in parts with `from`.'],
  ['memory', 'The material needs more memory than a search may use. Read it in parts with `from`.'],
  ['crash', 'The search of the material broke off. Read it in parts with `from`.'],
] as const)('a search that a thread did not finish (%s) is told with its reason', (code, words) => {
  expect(() => explainFailure(new ThreadError(code))).toThrow(words);
});

test('a document that a thread did not finish keeps its own words, and the reason for the log', () => {
  const cause = new ThreadError('memory');
  const failure = new DocumentError('too_large', 'It is too large.', { cause });
  expect(() => explainFailure(failure)).toThrow(
    expect.objectContaining({ message: 'It is too large.', cause: expect.objectContaining({ cause }) }),
  );
});
