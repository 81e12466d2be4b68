import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type ServiceProcess, spawnService } from '../faults/support/service-process.ts';
import { inTurn, type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';
import { oneTool, type StrangeServer, startStrangeServer } from './support/strange-server.ts';

const token = 'tok-of-two-workers-123';
const processes: ServiceProcess[] = [];
let strange: StrangeServer;
let provider: Provider;
let dataDir: string;
let env: Record<string, string>;

const launch = (only: string): ServiceProcess => {
  const service = spawnService(env, { only });
  processes.push(service);
  return service;
};

beforeAll(async () => {
  strange = await startStrangeServer();
  provider = await startProvider();
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-remote-'));
  const catalogue = path.join(dataDir, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify(simpleCatalogue(provider.baseUrl)));
  env = {
    DATA_DIR: dataDir,
    MODEL_CATALOGUE: catalogue,
    FETCH_ALLOWED_HOSTS: strange.host,
    RUN_LEASE_SECONDS: '2',
  };
  await launch('aws').ready;
  await launch('api').ready;
});

afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  await provider.close();
  await strange.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a run whose worker ends with %s during a call that only reads goes on with the same tools, and asks the server with its authorization',
  async (signal) => {
    let calls = 0;
    strange.answers['tools/list'] = () => ({ tools: [oneTool('say', 'Says it.', { readOnlyHint: true })] });
    strange.answers['tools/call'] = () =>
      ++calls === 1 ? undefined : { content: [{ type: 'text', text: 'Hello.' }] };
    provider.script(inTurn({ calls: [{ name: 'odd__say', args: { text: 'hello' } }] }, { text: 'Done.' }));
    const first = launch('worker');
    await first.ready;
    const client = await connect(dataDir);
    const mcp = [{ label: 'odd', url: strange.url, authorization: token }];
    const agentId = await client.start({ question: 'Say hello.', mcp });
    await expect.poll(() => calls).toBe(1);
    first.child.kill(signal);
    const { status } = await first.ended;
    expect(status).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0);
    strange.answers['tools/list'] = () => ({ tools: [oneTool('other')] });
    strange.seen.length = 0;
    const second = launch('worker');
    const events = await client.follow(agentId);
    expect(events.filter(({ type }) => type === 'tool_result')).toMatchObject([{ result: 'Hello.' }]);
    expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
    expect(strange.seen.map(({ method }) => method)).not.toContain('tools/list');
    expect(new Set(strange.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${token}`]),
    );
    const offered = provider.requests.map(({ tools }) => JSON.stringify(tools));
    expect(new Set(offered).size).toBeLessThanOrEqual(2);
    expect(offered.every((tools) => tools.includes('odd__say'))).toBe(true);
    second.child.kill('SIGKILL');
    await second.ended;
  },
);
