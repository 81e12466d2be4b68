import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/local-server.ts';
import { inTurn, startProvider } from '../support/model-server.ts';
import { simpleCatalogue, startTestService } from '../support/service.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('the server of docs/remote-tools.md is used by a run that has its token, and by no other', async () => {
  const page = await readFile(path.join(root, 'docs/remote-tools.md'), 'utf8');
  const [, code = ''] = /```js\n(\/\/ stock[\s\S]*?)```/.exec(page) ?? [];
  const [, body = ''] = /-d '(\{\n[\s\S]*?\n\})'/.exec(page) ?? [];
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-stock-'));
  await writeFile(path.join(folder, 'stock.mjs'), code);
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const provider = await startProvider();
  const service = await startTestService({
    catalogue: simpleCatalogue(provider.baseUrl),
    env: { FETCH_ALLOWED_HOSTS: host },
  });
  const stock = spawn(process.execPath, ['stock.mjs'], {
    cwd: folder,
    env: { STOCK_TOKEN: 'a-long-secret', PORT: String(port) },
  });
  await eventually(() =>
    fetch(`http://${host}/`).then(
      ({ status }) => status,
      () => 0,
    ),
  ).toBe(401);
  const asked = JSON.parse(body.replace('127.0.0.1:9100', host)) as { mcp: { authorization: string }[] };
  const resultOf = async (run: object, name: string) => {
    provider.script(inTurn({ calls: [{ name, args: { article: 'kettle' } }] }, { text: 'Done.' }));
    const events = await service.follow(await service.start(run));
    return events.find(({ type }) => type === 'tool_result')?.result;
  };
  expect(await resultOf(asked, 'stock__pieces')).toBe('12');
  const [server] = asked.mcp;
  const other = { ...asked, mcp: [{ ...server, authorization: 'another' }] };
  expect(await resultOf(other, 'stock__list_tools')).toContain('refuses the authorization');
  stock.kill();
  await service.stop();
  await provider.close();
  await rm(folder, { recursive: true });
});
