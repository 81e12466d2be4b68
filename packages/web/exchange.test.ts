import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import type { WebDeps } from './deps.ts';
import { type ExchangeInput, guardedExchange } from './exchange.ts';
import { createFetchMeter } from './fetch-meter.ts';
import { answerWith, startServer } from './test-support/http-server.ts';

const asking = (url: string, more: Partial<ExchangeInput> = {}): ExchangeInput => ({
  url,
  method: 'POST',
  headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
  body: '{}',
  totalMilliseconds: 5_000,
  answerBytes: 1_000,
  ...more,
});

const nobody: WebDeps = { allowedHosts: new Set() };

test('an answer of any status comes with its body', async () => {
  await using server = await startServer((request, response) => {
    response.writeHead(404, { 'content-type': 'text/plain', 'set-cookie': 'a=b' });
    request.pipe(response);
  });
  const answer = await guardedExchange({ allowedHosts: server.allowed }, asking(server.url));
  expect([answer.status, await answer.text()]).toEqual([404, '{}']);
  expect(Object.fromEntries(answer.headers)).toEqual({ 'content-type': 'text/plain' });
  expect(server.requests[0]?.headers.authorization).toBe('Bearer secret');
});

test.each([301, 302, 303, 307, 308])(
  'a redirect with %i fails, and nothing is sent to where it leads',
  async (status) => {
    await using other = await startServer(answerWith('text/plain', 'mine'));
    await using server = await startServer((_, response) => {
      response.writeHead(status, { location: other.url }).end();
    });
    const allowedHosts = new Set([...server.allowed, ...other.allowed]);
    await expect(guardedExchange({ allowedHosts }, asking(server.url))).rejects.toMatchObject({
      code: 'too_many_redirects',
    });
    expect(other.requests).toEqual([]);
  },
);

test.each(['http://example.com/', 'ftp://example.com/', 'https://user:word@example.com/', 'nonsense'])(
  'nothing is sent to %s, which is no https address',
  async (url) => {
    await expect(guardedExchange(nobody, asking(url))).rejects.toMatchObject({ code: 'invalid_url' });
  },
);

test.each(['https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/', 'https://0x7f.1/'])(
  'nothing is sent to %s, which is private',
  async (url) => {
    await expect(guardedExchange(nobody, asking(url))).rejects.toMatchObject({ code: 'forbidden_address' });
  },
);

test('nothing is sent to a name that leads to a private address', async () => {
  const lookup: WebDeps['lookup'] = (_name, _options, done) =>
    done(null, [{ address: '10.0.0.1', family: 4 }]);
  const refused = guardedExchange({ ...nobody, lookup }, asking('https://inside.example.com/'));
  await expect(refused).rejects.toMatchObject({ code: 'forbidden_address' });
});

test('an answer over the limit fails, with and without a declared length', async () => {
  for (const headers of [{}, { 'content-length': '2000' }]) {
    await using server = await startServer((_, response) => {
      response.writeHead(200, headers).end('x'.repeat(2_000));
    });
    const answer = await guardedExchange({ allowedHosts: server.allowed }, asking(server.url));
    await expect(answer.text()).rejects.toMatchObject({ code: 'too_large' });
  }
});

test('a silent server and an endless answer are given up at the timeout', async () => {
  const inTime = { totalMilliseconds: 50 };
  await using silent = await startServer(() => {});
  const asked = guardedExchange({ allowedHosts: silent.allowed }, asking(silent.url, inTime));
  await expect(asked).rejects.toMatchObject({ code: 'timeout' });
  await using endless = await startServer((_, response) => void response.writeHead(200).write('a'));
  const answer = await guardedExchange({ allowedHosts: endless.allowed }, asking(endless.url, inTime));
  await expect(answer.text()).rejects.toMatchObject({ code: 'timeout' });
});

test('an answer that nobody reads to its end closes its connection', async () => {
  let isClosed = false;
  await using server = await startServer((_, response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.writeHead(200).write('a');
  });
  const answer = await guardedExchange({ allowedHosts: server.allowed }, asking(server.url));
  await answer.body?.cancel();
  await expect.poll(() => isClosed).toBe(true);
});

test('a host that is asked counts against what the run may fetch', async () => {
  await using server = await startServer(answerWith('text/plain', 'hello'));
  const meter = createFetchMeter();
  const answer = await guardedExchange({ allowedHosts: server.allowed, meter }, asking(server.url));
  await answer.text();
  expect(meter.fetched()).toEqual({ bytes: 5, hosts: [new URL(server.url).hostname] });
  meter.resume({ bytes: limits.fetchedBytesPerRun, hosts: [] });
  const after = guardedExchange({ allowedHosts: server.allowed, meter }, asking(server.url));
  await expect(after).rejects.toMatchObject({ code: 'over_budget' });
});
