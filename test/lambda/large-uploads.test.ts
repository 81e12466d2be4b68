import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Cloud, originSecret, startCloud } from '../support/lambda/cloud.ts';
import { type Provider, startProvider } from '../support/provider.ts';
import { simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let cloud: Cloud;
let container: ChildProcess;
let baseUrl: string;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const health = async (): Promise<number> => {
  try {
    return (await fetch(`${baseUrl}/healthz`)).status;
  } catch {
    return 0;
  }
};

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  container = spawn(process.execPath, ['functions/large-uploads.ts'], {
    stdio: 'ignore',
    env: { ...(await cloud.environment('agents')), HOST: '127.0.0.1', PORT: String(port) },
  });
  await vi.waitUntil(async () => (await health()) === 200, { timeout: 30_000 });
}, 240_000);

afterAll(async () => {
  container?.kill('SIGKILL');
  await cloud?.stop();
  await provider?.close();
}, 60_000);

test('a form that is larger than Lambda takes is accepted by the container, with the permissions of the agents', async () => {
  const form = new FormData();
  form.set('question', 'What was said?');
  form.set('file', new Blob([Buffer.from('RIFF\0\0\0\0WAVEfmt '), new Uint8Array(20_000_000)]), 'talk.wav');
  const answer = await fetch(`${baseUrl}/v1/agents/runs`, {
    method: 'POST',
    headers: { 'X-Origin-Secret': originSecret, Authorization: `Bearer ${cloud.apiKey}` },
    body: form,
  });
  expect([answer.status, await answer.json()]).toEqual([202, expect.objectContaining({ status: 'queued' })]);
  expect((await cloud.receive())?.body).toContain('"kind":"run"');
});

test('what did not come through the router is refused there too', async () => {
  const answer = await fetch(`${baseUrl}/v1/agents`, {
    headers: { Authorization: `Bearer ${cloud.apiKey}` },
  });
  expect(answer.status).toBe(403);
});

test('the container that is told to stop ends the streams of runs, and itself', async () => {
  const headers = { 'X-Origin-Secret': originSecret, Authorization: `Bearer ${cloud.apiKey}` };
  const created = await fetch(`${baseUrl}/v1/agents/runs`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ question: 'Is anyone there?' }),
  });
  const { agentId } = (await created.json()) as { agentId: string };
  const stream = await fetch(`${baseUrl}/v1/agents/runs/${agentId}/stream`, { headers });
  const ended = once(container, 'exit');
  container.kill('SIGTERM');
  expect(await stream.text()).toBe('retry: 1000\n\n');
  expect((await ended)[0]).toBe(0);
});
