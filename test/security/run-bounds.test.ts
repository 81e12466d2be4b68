import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Provider, ScriptedCall } from '../support/model-server.ts';
import { type RunEvent, simpleCatalogue, type TestService } from '../support/service.ts';
import { setLimit } from '../support/set-limit.ts';
import { useService } from '../support/use-service.ts';
import { type HostileSite, startHostileSite } from './support/hostile-site.ts';
import { runInTwoProcesses } from './support/two-processes.ts';

let provider: Provider;
let service: TestService;
let site: HostileSite;

const hosts = Array.from({ length: 12 }, (_, i) => `127.0.0.${i + 1}`);
const fileBytes = 4_500_000;
const [callsAtOnce, mostHosts, mostBytes] = [4, 8, 20_000_000];

const options = ({ baseUrl }: Provider) => ({
  catalogue: simpleCatalogue(baseUrl),
  env: { FETCH_ALLOWED_HOSTS: hosts.map((host) => `${host}:${site.port}`).join(',') },
});

beforeAll(async () => {
  const file = Buffer.alloc(fileBytes);
  site = await startHostileSite((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/redirect') response.writeHead(302, { Location: searchParams.get('to') ?? '' }).end();
    else if (pathname === '/file')
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(file);
    else response.writeHead(200, { 'Content-Type': 'text/plain' }).end('Hello.');
  });
});
useService((started) => ({ provider, service } = started), options);

afterAll(() => site.close());

beforeEach(() => {
  site.asked.length = 0;
  setLimit('toolCallsPerCompletion', callsAtOnce);
  setLimit('fetchedHostsPerRun', mostHosts);
  setLimit('fetchedBytesPerRun', mostBytes);
});

const at = (host: string, path = '/') => `http://${host}:${site.port}${path}`;
const crawl = (url: string): ScriptedCall => ({ name: 'web_crawl', args: { url } });
const parse = (url: string): ScriptedCall => ({ name: 'document_parse', args: { url } });

/** The run of a model that makes these calls turn by turn, and then answers. */
async function run(turns: ScriptedCall[][], body: object = {}): Promise<RunEvent[]> {
  let number = 0;
  provider.script(({ model }) => {
    if (model === 'upstream-eyes') return { text: 'A grey square.' };
    const calls = turns[number++];
    return calls ? { calls } : { text: 'Done.' };
  });
  const events = await service.follow(await service.start({ question: 'What is new?', ...body }));
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
  return events;
}

const resultsOf = (events: readonly RunEvent[]): string[] =>
  events.filter(({ type }) => type === 'tool_result').map(({ result }) => String(result));

const overHosts = 'this run has fetched from the web what one run may, 8 hosts; answer with what was read';
const overBytes = 'this run has fetched from the web what one run may, 20 MB; answer with what was read';
const failed = (reason: string) => `Error: Failed to fetch document from URL: ${reason}`;

test('a completion that makes 100 calls reaches a host as often as one completion may, and every call is answered', async () => {
  const calls = Array.from({ length: 100 }, (_, i) => crawl(at('127.0.0.1', `/${i}`)));
  const events = await run([calls]);
  const called = events.filter(({ type }) => type === 'tool_call');
  const results = resultsOf(events);
  expect([called.length, results.length]).toEqual([100, 100]);
  expect(site.asked).toHaveLength(callsAtOnce);
  const made = results.filter((result) => !result.startsWith('Error: This call was not made'));
  expect(made).toEqual(results.slice(0, callsAtOnce));
  expect(made.every((result) => result.endsWith('Hello.'))).toBe(true);
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  const messages = provider.requests.at(1)?.messages.filter(({ role }) => role === 'tool');
  expect(messages).toHaveLength(100);
});

test('calls over the bound of a completion can be made in the next turn', async () => {
  const calls = Array.from({ length: callsAtOnce + 2 }, (_, i) => crawl(at('127.0.0.1', `/${i}`)));
  const results = resultsOf(await run([calls, calls.slice(callsAtOnce)]));
  expect(results).toHaveLength(callsAtOnce + 4);
  expect(results.slice(callsAtOnce + 2).every((result) => result.endsWith('Hello.'))).toBe(true);
});

test('a run fetches from so many hosts, those of its forced step apart, and goes on with the hosts it knows', async () => {
  const all = hosts.slice(0, mostHosts + 1).map((host) => crawl(at(host)));
  const turns = [
    all.slice(0, 4),
    all.slice(4, mostHosts),
    [...all.slice(mostHosts), crawl(at('127.0.0.7', '/again'))],
  ];
  const results = resultsOf(await run(turns, { documentUrl: at('127.0.0.12', '/image.png') })).slice(1);
  expect(results.slice(0, mostHosts).every((result) => result.endsWith('Hello.'))).toBe(true);
  expect(results[mostHosts]).toBe(failed(overHosts));
  expect(results[mostHosts + 1]).toMatch(/Hello\.$/);
  expect(site.asked).not.toContain('127.0.0.9/');
});

test('the hosts of redirects count among the hosts of a run', async () => {
  const first = hosts.slice(0, mostHosts - 1).map((host) => crawl(at(host)));
  const chain = at(
    '127.0.0.1',
    `/redirect?to=${encodeURIComponent(at('127.0.0.8', `/redirect?to=${at('127.0.0.9')}`))}`,
  );
  const results = resultsOf(await run([first.slice(0, 4), first.slice(4), [crawl(chain)]]));
  expect(results.at(-1)).toBe(failed(overHosts));
  expect(site.asked.at(-1)).toMatch(/^127\.0\.0\.8\//);
});

test('a run fetches so many bytes, in however many processes it is worked on, and then nothing more', async () => {
  const file = parse(at('127.0.0.1', '/file'));
  const small = crawl(at('127.0.0.1', '/small'));
  const before = [[file, file, file, file]];
  const after = [[file], [small]];
  const events = await runInTwoProcesses(provider, options(provider), [before, after]);
  const results = resultsOf(events);
  const notDocument = /^Error: The file at this URL is not a document/;
  for (const result of results.slice(0, 4)) expect(result).toMatch(notDocument);
  expect(results.slice(-2)).toEqual([failed(overBytes), failed(overBytes)]);
  expect(site.asked).toEqual(Array(5).fill('127.0.0.1/file'));
});
