import { gzipSync } from 'node:zlib';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, serve } from '../support/local-server.ts';
import { longestTurn } from '../support/longest-turn.ts';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

/** The turns of a service that reads no page are far shorter, and a page takes several times as long. */
const longestMilliseconds = 100;

let provider: Provider;
let service: TestService;
let host: LocalServer;
let page: Buffer;

beforeAll(async () => {
  host = await serve((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'gzip' });
    response.end(page);
  });
});
useService(
  (started) => ({ provider, service } = started),
  () => ({ env: { FETCH_ALLOWED_HOSTS: host.host } }),
);

afterAll(() => host.close());

/** What web_crawl answers to a model that asks for the page, and the health checks that were answered meanwhile. */
async function crawl(html: string): Promise<{ result: string; checks: number }> {
  page = gzipSync(html);
  provider.script(
    inTurn({ calls: [{ name: 'web_crawl', args: { url: `${host.url}/` } }] }, { text: 'Read the page.' }),
  );
  let running = true;
  const following = service.follow(await service.start({ question: 'What is on the page?' }));
  const checking = (async () => {
    let checks = 0;
    for (; running; checks++) {
      const { status } = await fetch(`${service.baseUrl}/healthz`);
      expect(status).toBe(200);
    }
    return checks;
  })();
  const events = await following.finally(() => {
    running = false;
  });
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Read the page.' });
  const result = String(events.find(({ type }) => type === 'tool_result')?.result);
  return { result, checks: await checking };
}

const spaces = (count: number) => `<p>x${'\u00a0'.repeat(count)}x</p>`;

test.each([
  ['300,000 no-break spaces', spaces(300_000), 'x x'],
  ['two and a half million no-break spaces', spaces(limits.pageBytes / 2 - 10), 'x x'],
  ['thousands of images', `${'<div>'.repeat(40)}${'<img src=x.png alt=y>'.repeat(7_000)}`, '![y](http'],
])('the service answers while a page of %s is read', async (_, html, text) => {
  await crawl('<p>The first page.</p>');
  let read: Awaited<ReturnType<typeof crawl>> | undefined;
  const longest = await longestTurn(async () => {
    read = await crawl(html);
  });
  expect(read?.result).toContain(text);
  expect(read?.checks).toBeGreaterThan(0);
  expect(longest).toBeLessThan(longestMilliseconds);
});
