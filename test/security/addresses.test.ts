import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { type LocalServer, serve } from '../support/local-server.ts';
import { inTurn, type Provider } from '../support/model-server.ts';
import { simpleCatalogue, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

/** Ways to write the address of the machine itself. `PORT` is that of the server which nobody may reach. */
const ownAddresses = [
  ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7F.1', '0x7f.0.0.1'],
  ...['0177.0.0.1', '017700000001', '0', '0.0.0.0', '00.0.0.0', '0x0', '127.255.255.254', 'localhost'],
  ...[
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '127．0．0．1',
    '%31%32%37.0.0.1',
  ],
  ...['１２７.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...[
    '[0:0:0:0:0:ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
  ],
  ...[
    '[::ffff:0:7f00:1]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '127.0.0.1%2f@example.com',
    'ip6-localhost',
    'localhost.localdomain',
    '0x7f.1',
    '0177.1',
    '127.0.0.1%00',
  ],
].flatMap((host) => [`http://${host}:PORT/`, `https://${host}:PORT/`]);

/** Other networks of an operator, services that tell credentials, and URLs that are no addresses. */
const others = [
  ...['http://10.0.0.5:8000/', 'http://172.16.0.1/', 'http://192.168.0.1/', 'http://100.64.0.1/'],
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'http://169.254.170.2/v2/credentials',
    'http://0xa9fea9fe/',
  ],
  ...['http://2852039166/', 'http://[::ffff:a9fe:a9fe]/', 'http://192.0.0.192/', 'http://168.63.129.16/'],
  ...['http://100.100.100.200/', 'http://198.18.0.1/', 'http://224.0.0.1/', 'http://255.255.255.255/'],
  ...[
    'file:///etc/passwd',
    'FILE:/etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1:PORT/',
    'dict://127.0.0.1:PORT/',
  ],
  ...[
    'data:text/html,x',
    'javascript:alert(1)',
    'blob:http://127.0.0.1:PORT/1',
    '//127.0.0.1:PORT/',
    '127.0.0.1:PORT',
  ],
  ...[
    'http:127.0.0.1:PORT',
    'http:\\\\127.0.0.1:PORT\\',
    'http:///127.0.0.1:PORT/',
    'http://user:pass@127.0.0.1:PORT/',
  ],
  ...[
    'http://example.com@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT#@example.com/',
    'http://127.0.0.1:PORT\t/',
    ' http://127.0.0.1:PORT/ ',
  ],
  ...[
    'http://127.0.0.1:PORT/%0d%0aHost:%20x',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  ],
];

const tools = [
  { name: 'web_crawl', argument: 'url' },
  { name: 'document_parse', argument: 'url' },
  { name: 'audio_transcribe', argument: 'url' },
  { name: 'vision', argument: 'imageUrl' },
];
const callsAtOnce = 16;

let provider: Provider;
let service: TestService;
let inside: Server;
let insidePort: number;
let reached: string[];
let outside: LocalServer;

beforeAll(async () => {
  reached = [];
  inside = createServer((request, response) => {
    reached.push(`${request.headers.host} ${request.url}`);
    response.end('secret');
  }).listen(0);
  inside.on('connection', (socket) => void reached.push(`connection from ${socket.remoteAddress}`));
  await once(inside, 'listening');
  insidePort = (inside.address() as AddressInfo).port;
  outside = await serve(({ path }, response) => {
    // A header carries bytes, so each byte of the address becomes a character.
    const location = Buffer.from(decodeURIComponent(path.slice(1))).toString('latin1');
    response.writeHead(302, { location: location.replaceAll(/[\t\r\n]/g, '') }).end();
  });
  return async () => {
    inside.close();
    await outside.close();
  };
});
useService(
  (started) => ({ provider, service } = started),
  ({ baseUrl }) => {
    const ears = {
      id: 'ears',
      kind: 'speech',
      description: 'A scripted speech model.',
      upstream: { baseUrl, model: 'upstream-ears' },
      price: { perSecond: 0.0001 },
    };
    return {
      catalogue: simpleCatalogue(baseUrl, { models: [ears], roles: { speech: 'ears' } }),
      env: { FETCH_ALLOWED_HOSTS: outside.host },
    };
  },
);

/** The results of one tool for each of these addresses, which the model calls for in one turn. */
async function resultsOf(name: string, argument: string, addresses: readonly string[]): Promise<string[]> {
  const results: string[] = [];
  for (let start = 0; start < addresses.length; start += callsAtOnce) {
    const some = addresses.slice(start, start + callsAtOnce);
    const calls = some.map((address) => ({ name, args: { [argument]: address, question: 'What is it?' } }));
    provider.script(inTurn({ calls }, { text: 'Done.' }));
    const events = await service.follow(await service.start({ question: 'Look' }));
    const found = events.filter(({ type }) => type === 'tool_result').map(({ result }) => String(result));
    expect(found).toHaveLength(some.length);
    results.push(...found);
  }
  return results;
}

const spelled = () =>
  [...ownAddresses, ...others].map((address) => address.replaceAll('PORT', String(insidePort)));

test.each(tools)('$name opens no internal address, however it is spelled', async ({ name, argument }) => {
  const addresses = spelled();
  const results = await resultsOf(name, argument, addresses);
  const opened = addresses.filter((_, i) => !results[i]?.startsWith('Error: '));
  expect([addresses.length > 115, opened, reached]).toEqual([true, [], []]);
  expect(results.join()).not.toMatch(/secret|There is no tool/);
});

test.each(tools)('$name follows no redirect to an internal address', async ({ name, argument }) => {
  const addresses = spelled().filter((address) => address.startsWith('http'));
  const redirected = addresses.map((address) => `${outside.url}/${encodeURIComponent(address)}`);
  const results = await resultsOf(name, argument, redirected);
  expect([results.filter((result) => !result.startsWith('Error: ')), reached]).toEqual([[], []]);
});

/** What a run tells of a server of tools at this address: its refusal, or the result of a call. */
async function toldOfServer(url: string): Promise<string> {
  const run = { question: 'Look', mcp: [{ label: 'odd', url, authorization: 'a-token' }] };
  const created = await service.post('/v1/agents/runs', run);
  if (created.status === 400) return 'Error: 400';
  const { agentId } = (await created.json()) as { agentId: string };
  const events = await service.follow(agentId);
  return String(events.find(({ type }) => type === 'tool_result')?.result);
}

/** No redirect of such a server is followed, so that a few tell of all. */
const redirected = () =>
  spelled()
    .filter((address) => address.startsWith('http'))
    .filter((_, index) => index % 10 === 0)
    .map((address) => `${outside.url}/${encodeURIComponent(address)}`);

test.each([
  ['direct', spelled, 90],
  ['behind a redirect', redirected, 8],
] as const)('no server of tools is asked at an internal address, %s', async (_, spellings, least) => {
  const addresses = spellings();
  // The first completion of each run calls, and the next ones answer.
  provider.script(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'odd__list_tools', args: {} }] },
  );
  const told: string[] = [];
  for (let start = 0; start < addresses.length; start += callsAtOnce)
    told.push(...(await Promise.all(addresses.slice(start, start + callsAtOnce).map(toldOfServer))));
  const asked = addresses.filter((_, i) => !told[i]?.startsWith('Error: '));
  expect([addresses.length > least, asked, reached]).toEqual([true, [], []]);
  expect(told.join()).not.toMatch(/secret|There is no tool/);
});
