import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  forbiddenImages,
  type InnerHost,
  png,
  pngDataUrl,
  startInnerHost,
} from '../support/forbidden-images.ts';
import { type LocalServer, serve } from '../support/local-server.ts';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
let inner: InnerHost;
let site: LocalServer;

beforeAll(async () => {
  inner = await startInnerHost();
  site = await serve(({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://site');
    if (pathname === '/to.png') response.writeHead(302, { location: searchParams.get('url') ?? '' }).end();
    else if (pathname === '/ok.png') response.writeHead(200, { 'content-type': 'text/plain' }).end(png);
    else if (pathname === '/large.png')
      response.end(Buffer.concat([png, Buffer.alloc(limits.imageBytes - png.length + 1)]));
    else if (pathname === '/page.png')
      response.writeHead(200, { 'content-type': 'image/png' }).end('<html><body>secret</body></html>');
    else if (pathname === '/drawing.png')
      response
        .writeHead(200, { 'content-type': 'image/png' })
        .end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    else response.writeHead(404).end();
  });
});
useService(
  (started) => ({ provider, service } = started),
  () => ({ env: { FETCH_ALLOWED_HOSTS: site.host } }),
);
beforeEach(() => {
  inner.asked.length = 0;
});
afterAll(async () => {
  inner.close();
  site.close();
});

/** Runs a question whose model looks at this image, and resolves with what the tool answered. */
async function look(imageUrl: string): Promise<string> {
  const call = { name: 'vision', args: { imageUrl, question: 'What is on it?' } };
  provider.script(({ model, messages }) =>
    model === 'upstream-eyes' || messages.some(({ role }) => role === 'tool')
      ? { text: 'A harbour.' }
      : { calls: [call] },
  );
  const events = await service.follow(await service.start({ question: 'Look at it' }));
  expect(events.at(-1)).toMatchObject({ type: 'done' });
  return String(events.find(({ type }) => type === 'tool_result')?.result);
}

const seen = () => provider.requests.filter(({ model }) => model === 'upstream-eyes');

test('no address inside of the network and no file is fetched, or given to a provider, for a model', async () => {
  for (const address of forbiddenImages(inner.port)) {
    expect([address, await look(address)]).toEqual([
      address,
      expect.stringMatching(/^Error: Failed to fetch image from URL: /),
    ]);
    expect([address, seen()]).toEqual([address, []]);
  }
  expect(inner.asked).toEqual([]);
});

test('no hop of a redirect to the inside of the network is fetched for a model', async () => {
  for (const address of forbiddenImages(inner.port).filter((url) => /^\w+:/.test(url))) {
    const redirecting = `${site.url}/to.png?url=${encodeURIComponent(address)}`;
    expect(await look(redirecting)).toMatch(/^Error: Failed to fetch image from URL: /);
    expect([address, seen()]).toEqual([address, []]);
  }
  expect(inner.asked).toEqual([]);
});

test('an image that the request names inside of the network is not fetched: its step is an error, and the run goes on', async () => {
  provider.script(() => ({ text: 'It could not be seen.' }));
  for (const documentUrl of [`http://127.0.0.1:${inner.port}/secret.png`, 'http://169.254.169.254/x.png']) {
    const events = await service.follow(await service.start({ question: 'What is it?', documentUrl }));
    expect(events.slice(0, 4)).toMatchObject([
      { type: 'step_start' },
      { type: 'tool_call', toolName: 'vision' },
      { result: 'Error: Failed to fetch image from URL: the host is not publicly reachable' },
      { type: 'step_complete' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'It could not be seen.' });
  }
  expect([seen(), inner.asked]).toEqual([[], []]);
});

test('an image goes to the model as bytes, and only what its bytes show to be one', async () => {
  expect(await look(`${site.url}/ok.png`)).toBe('A harbour.');
  const content = seen().flatMap(({ messages }) => messages.map((message) => message.content));
  expect(content).toEqual([
    [
      { type: 'text', text: 'What is on it?' },
      { type: 'image_url', image_url: { url: pngDataUrl } },
    ],
  ]);
  expect(await look(`${site.url}/large.png`)).toBe(
    'Error: Failed to fetch image from URL: the answer is too large',
  );
  for (const path of ['/page.png', '/drawing.png'])
    expect(await look(site.url + path)).toBe(
      'Error: The file at this URL is no PNG, JPEG, WebP or GIF image.',
    );
  expect(seen()).toEqual([]);
});
