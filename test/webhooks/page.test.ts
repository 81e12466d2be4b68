import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/local-server.ts';
import { startProvider } from '../support/model-server.ts';
import { simpleCatalogue, startTestService } from '../support/service.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('the receiver of docs/webhooks.md hears of a run, reads it, and refuses what is not signed', async () => {
  const page = await readFile(path.join(root, 'docs/webhooks.md'), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-receiver-'));
  await writeFile(path.join(folder, 'receiver.mjs'), code);
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const port = await freePort();
  const provider = await startProvider(() => ({ text: 'Paris' }));
  const service = await startTestService({
    catalogue: simpleCatalogue(provider.baseUrl),
    env: { FETCH_ALLOWED_HOSTS: `127.0.0.1:${port}` },
  });
  const made = await service.post('/v1/webhooks', {
    url: `http://127.0.0.1:${port}/`,
    events: ['run.succeeded'],
  });
  const { secret } = (await made.json()) as { secret: string };
  const receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: {
      ERRAND_URL: service.baseUrl,
      ERRAND_API_KEY: service.apiKey,
      WEBHOOK_SECRET: secret,
      PORT: String(port),
    },
  });
  let printed = '';
  receiver.stdout.on('data', (text) => {
    printed += text;
  });
  await eventually(() =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      () => 0,
    ),
  ).toBe(401);
  await service.start({ question: 'What is the capital of France?' });
  await eventually(() => printed).toBe('run.succeeded Paris\n');
  receiver.kill();
  await once(receiver, 'exit');
  await service.stop();
  await provider.close();
  await rm(folder, { recursive: true });
});

test.each(['webhooks', 'remote-tools', 'mcp'])('what docs/%s.md sends is sent as JSON', async (name) => {
  const page = await readFile(path.join(root, `docs/${name}.md`), 'utf8');
  const sent = [...page.matchAll(/```sh\n(.*?)```/gs)].filter(([, code = '']) => / -d '/.test(code));
  expect(sent.length).toBeGreaterThan(0);
  for (const [, code] of sent) expect(code).toContain('Content-Type: application/json');
});
