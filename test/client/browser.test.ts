import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { createErrand, ErrandError, Progress } from '@errand/client';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useSteadyService } from '../clients/generated/steady-provider.ts';
import { describeInChromium } from '../support/chromium.ts';
import type { TestService } from '../support/service.ts';

/** What the page has of the client. */
declare const client: { createErrand: typeof createErrand };

let service: TestService;
let site: Server;
let page: Page;
const complaints: string[] = [];

async function serveClient(): Promise<Server> {
  const { outputFiles } = await build({
    entryPoints: [path.resolve(import.meta.dirname, '../../packages/client/index.ts')],
    ...{ bundle: true, write: false, format: 'iife', globalName: 'client', platform: 'browser' },
  });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/moved/'))
      return response.writeHead(307, { Location: '/runs-of-another' }).end();
    const isScript = request.url === '/client.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? outputFiles[0]?.text : '<!doctype html><script src="/client.js"></script>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describeInChromium('the client in Chromium', (browser) => {
  useSteadyService((started) => ({ service } = started));
  beforeAll(async () => {
    site = await serveClient();
    page = await browser().newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    // Another origin than the service's, as a caller's own page is.
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await page.close();
    site.close();
  });

  const login = () => ({ baseUrl: service.baseUrl, apiKey: service.apiKey });

  test('streams a chat and asks any route', async () => {
    const said = await page.evaluate(async (given) => {
      const errand = client.createErrand(given);
      const { data } = await errand.api.GET('/v1/models');
      const pieces: string[] = [];
      const messages = [{ role: 'user' as const, content: 'Hi' }];
      for await (const { choices } of errand.chat.stream({ model: 'writer', messages }))
        pieces.push(choices[0]?.delta.content ?? '');
      return { text: pieces.join(''), first: data.data[0]?.id };
    }, login());
    expect(said).toEqual({ text: 'Hello', first: 'writer' });
  });

  test('deletes what is answered without a body', async () => {
    const status = await page.evaluate(async (given) => {
      const { api } = client.createErrand(given);
      const { data } = await api.POST('/v1/skills', { body: { name: 'gone-soon', instructions: 'Go.' } });
      const { response } = await api.DELETE('/v1/skills/{id}', { params: { path: { id: data.id } } });
      return response.status;
    }, login());
    expect(status).toBe(204);
  });

  test.each([
    ['a form', 300_000],
    ['a link', 3_600_000],
  ])('sends a file by %s, tells its progress, and follows the run', async (_, bytes) => {
    const seen = await page.evaluate(
      async ({ bytes, ...given }) => {
        const errand = client.createErrand(given);
        const file = new File(['The crew is of three. '.repeat(bytes / 22)], 'report.txt');
        const progress: Progress[] = [];
        const onProgress = (step: Progress) => progress.push(step);
        const run = await errand.runs.start({ question: 'Of how many?', tools: [] }, { file, onProgress });
        const types: string[] = [];
        for await (const { type } of run.events()) types.push(type);
        return { progress, types, status: (await run.wait()).status };
      },
      { ...login(), bytes },
    );
    expect(seen.status).toBe('succeeded');
    expect(seen.types.at(-1)).toBe('done');
    expect(seen.progress[0]?.sentBytes).toBe(0);
    expect(seen.progress.length).toBeGreaterThan(1);
    const last = seen.progress.at(-1);
    expect(last?.sentBytes).toBe(last?.totalBytes);
    expect(last?.totalBytes).toBeGreaterThanOrEqual(bytes - 22);
  });

  test('throws the errors of a refused file and of an aborted upload', async () => {
    const told = await page.evaluate(async (given) => {
      const errand = client.createErrand(given);
      const onProgress = () => {};
      const refused = await errand.runs
        .start({ question: 'What?' }, { file: new File(['?'], 'report.xyz'), onProgress })
        .catch(({ name, status, requestId }: ErrandError) => ({
          name,
          status,
          hasId: requestId !== undefined,
        }));
      const signal = AbortSignal.abort(new Error('enough'));
      const aborted = await errand.uploads
        .send(new File(['?'], 'report.txt'), { onProgress, signal })
        .catch(({ message }: Error) => message);
      return { refused, aborted };
    }, login());
    expect(told).toEqual({
      refused: { name: 'InvalidRequestError', status: 415, hasId: true },
      aborted: 'enough',
    });
  });

  test("never takes an answer from another address for the service's", async () => {
    const message = await page.evaluate(async (origin) => {
      const errand = client.createErrand({ baseUrl: `${origin}/moved`, apiKey: 'sk-key' });
      const tried = [undefined, () => {}].map((onProgress) =>
        errand.runs.start({ question: 'What?' }, { file: new File(['?'], 'a.txt'), onProgress }).then(
          () => 'started',
          ({ message }: Error) => message,
        ),
      );
      return Promise.all(tried);
    }, new URL(page.url()).origin);
    expect(message).toEqual([
      'The service redirects to another address: use that address as the base URL.',
      `The service redirects to ${new URL(page.url()).origin}: use that address as the base URL.`,
    ]);
  });

  test("leaves nothing in the browser's console but the refusal", () => {
    expect(complaints.filter((text) => !text.includes('415'))).toEqual([]);
  });
});
