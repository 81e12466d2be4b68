import { limits, sha256Hex } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, serve } from '../support/local-server.ts';
import { inTurn, type Provider, type ScriptedCall } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
let site: LocalServer;

beforeAll(async () => {
  site = await serve(({ path }, response) => {
    if (path === '/harbours.csv') {
      response.writeHead(200, { 'Content-Type': 'text/csv; charset="windows-1251"' });
      return response.end(Buffer.from('name\n\xcf\xee\xf0\xf2', 'latin1'));
    }
    if (path === '/report.html') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end('<html><body><h1>Tides</h1><p>High water is at noon.</p></body></html>');
    } else response.writeHead(404).end();
  });
});
useService(
  (started) => ({ provider, service } = started),
  () => ({ env: { FETCH_ALLOWED_HOSTS: site.host } }),
);

afterAll(() => site.close());

/** The tool results of a run whose model makes these calls in one turn and then answers. */
async function resultsOf(calls: ScriptedCall[], key?: string): Promise<string[]> {
  provider.script(inTurn({ calls }, { text: 'Done.' }));
  const agentId = await service.start({ question: 'Use tools' }, key);
  const events = await service.follow(agentId, key === undefined ? {} : { key });
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
  return events.filter(({ type }) => type === 'tool_result').map(({ result }) => String(result));
}

test('a document is fetched and given to the model as text', async () => {
  const [result] = await resultsOf([{ name: 'document_parse', args: { url: `${site.url}/report.html` } }]);
  expect(result).toContain('# Tides');
  expect(result).toContain('High water is at noon.');
  const toolMessage = provider.requests.at(1)?.messages.find(({ role }) => role === 'tool');
  expect(toolMessage?.content).toMatch(/^<outside_material /);
  expect(toolMessage?.content).toContain(`>\n${result}\n</outside_material>`);
});

test('document_parse reads a text in the charset that only its header names', async () => {
  const [result] = await resultsOf([{ name: 'document_parse', args: { url: `${site.url}/harbours.csv` } }]);
  expect(result).toContain('Порт');
});

test('a document that cannot be fetched is a tool result with the status, not a failed run', async () => {
  const [missing, inside] = await resultsOf([
    { name: 'document_parse', args: { url: `${site.url}/missing.pdf` } },
    { name: 'document_parse', args: { url: 'http://169.254.169.254/latest/meta-data/' } },
  ]);
  expect(missing).toBe('Error: Failed to fetch document from URL: 404 Not Found');
  expect(inside).toMatch(/^Error: Failed to fetch document from URL: /);
});

test('a page is read as markdown', async () => {
  const [result] = await resultsOf([{ name: 'web_crawl', args: { url: `${site.url}/report.html` } }]);
  expect(result).toContain('High water is at noon.');
});

test('an unknown tool, bad JSON and wrong arguments are answers that the model reads', async () => {
  const results = await resultsOf([
    { name: 'teleport', args: {} },
    { name: 'web_search', args: '{"query":' },
    { name: 'save_data', args: { name: 'x' } },
  ]);
  expect(results[0]).toMatch(/^Error: There is no tool named "teleport"\./);
  expect(results[1]).toBe('Error: The arguments of web_search are not valid JSON.');
  expect(results[2]).toMatch(/^Error: The arguments of save_data are wrong\. value: /);
});

test('a value saved in one run is read in another of the account, and not by another account', async () => {
  const [saved] = await resultsOf([{ name: 'save_data', args: { name: 'harbour', value: 'Den Helder' } }]);
  expect(saved).toContain('harbour');
  const read = [
    { name: 'read_data', args: { name: 'harbour' } },
    { name: 'read_data', args: {} },
  ];
  const [value, names] = await resultsOf(read);
  expect(value).toBe('Den Helder');
  expect(names).toContain('- harbour');
  const { key } = await service.newAccount();
  const [foreign, nothing] = await resultsOf(read, key);
  expect(foreign).toMatch(/^Error: Nothing is saved under "harbour"/);
  expect(nothing).toBe('Nothing is saved.');
});

test('saving under a name that exists replaces the value', async () => {
  await resultsOf([{ name: 'save_data', args: { name: 'tide', value: 'low' } }]);
  await resultsOf([{ name: 'save_data', args: { name: 'tide', value: 'high' } }]);
  expect(await resultsOf([{ name: 'read_data', args: { name: 'tide' } }])).toEqual(['high']);
});

test('values are saved and read in one turn as if one call came after the other', async () => {
  const save = (value: string) => ({ name: 'save_data', args: { name: 'moon', value } });
  const read = { name: 'read_data', args: { name: 'moon' } };
  const results = await resultsOf([save('new'), read, save('half'), save('full'), read]);
  expect([results[1], results[4]]).toEqual(['new', 'full']);
});

test('a value may have its limit of characters, and not one more', async () => {
  const limit = limits.savedValueCharacters;
  const results = await resultsOf([
    { name: 'save_data', args: { name: 'long', value: '😀'.repeat(limit) } },
    { name: 'save_data', args: { name: 'longer', value: '😀'.repeat(limit + 1) } },
  ]);
  expect(results[0]).toMatch(/^Saved/);
  expect(results[1]).toContain(`Error: The value has ${limit + 1} characters; at most ${limit} `);
});

test('a saved file is downloaded by its link without a key, and by no altered one', async () => {
  const [result] = await resultsOf([
    { name: 'save_file', args: { filename: '../tables/Tïde table.csv', content: 'hour,level\n12,high\n' } },
  ]);
  const link = /https?:\S+/.exec(result ?? '')?.[0] ?? '';
  expect(result).toMatch(/Ti-?de-table-[0-9a-f]{8}\.csv/);
  const redirect = await fetch(link, { redirect: 'manual' });
  expect(redirect.status).toBe(302);
  const file = await fetch(link);
  expect(await file.text()).toBe('hour,level\n12,high\n');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
  for (const altered of [
    link.replace(/expires=(\d)/, (_, digit: string) => `expires=${(Number(digit) % 9) + 1}`),
    link.replace('signature=', 'signature=A'),
    link.replace('.csv', '.txt'),
    link.split('?')[0]!,
  ]) {
    expect((await fetch(altered, { redirect: 'manual' })).status).toBe(403);
  }
  const refused = await fetch(link, { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
});

test("HEAD of a saved file's link answers as GET does, without the body, and so does the bucket", async () => {
  const [result] = await resultsOf([
    { name: 'save_file', args: { filename: 'tides.csv', content: 'hour,level\n12,high\n' } },
  ]);
  const link = /https?:\S+/.exec(result ?? '')?.[0] ?? '';
  const redirect = await fetch(link, { method: 'HEAD', redirect: 'manual' });
  expect([redirect.status, await redirect.text()]).toEqual([302, '']);
  const head = await fetch(link, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const name of ['content-length', 'content-type', 'content-disposition'])
    expect([name, head.headers.get(name)]).toEqual([name, (await fetch(link)).headers.get(name)]);
  const altered = await fetch(link.replace('signature=', 'signature=A'), { method: 'HEAD' });
  expect([altered.status, await altered.text()]).toEqual([403, '']);
});

test('a file of another ending, or one byte over the limit, is refused', async () => {
  const limit = limits.savedFileBytes;
  const results = await resultsOf([
    { name: 'save_file', args: { filename: 'run.exe', content: 'x' } },
    { name: 'save_file', args: { filename: 'big.txt', content: 'x'.repeat(limit + 1) } },
    { name: 'save_file', args: { filename: 'fits.txt', content: 'x'.repeat(limit) } },
  ]);
  expect(results[0]).toMatch(/^Error: Files may end in \.md, \.csv, \.json, \.txt/);
  expect(results[1]).toContain(`Error: The file has ${limit + 1} bytes; at most ${limit} `);
  expect(results[2]).toMatch(/^Saved fits\.txt/);
});

test('a result over 32 KB reaches readers whole', async () => {
  const value = 'x'.repeat(9_000);
  await resultsOf([1, 2, 3, 4, 5].map((n) => ({ name: 'save_data', args: { name: `part${n}`, value } })));
  // Even compressed it is longer than what lies in an item.
  const text = Array.from({ length: 2_300 }, (_, i) => sha256Hex(`${i}`).slice(0, 42)).join(' ');
  provider.script(inTurn({ text }));
  const agentId = await service.start({ question: 'Be long' });
  const events = await service.follow(agentId);
  expect(events.at(-1)).toEqual({ id: events.length, type: 'done', finalText: text });
  expect(await service.read(agentId)).toMatchObject({ status: 'succeeded', result: text });
});
