import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readChunks } from '../chat/support/chat-service.ts';
import { chunk, event } from '../chat/support/chunks.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';
import { simpleCatalogue } from '../support/service.ts';
import { connect, type ServiceProcess, spawnService } from './support/service-process.ts';

let upstream: ScriptedUpstream;
let dataDir: string;
let env: Record<string, string>;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  upstream = await startUpstream();
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-stopping-'));
  env = { DATA_DIR: dataDir, MODEL_CATALOGUE: path.join(dataDir, 'catalogue.json') };
  const judge = {
    id: 'judge',
    kind: 'decision',
    upstream: { baseUrl: upstream.baseUrl, model: 'upstream-judge' },
    price: { inputPerMillionTokens: 1 },
  };
  await writeFile(
    env.MODEL_CATALOGUE!,
    JSON.stringify(simpleCatalogue(upstream.baseUrl, { models: [judge] })),
  );
  await launch('aws').ready;
});

afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  await upstream.close();
  await rm(dataDir, { recursive: true, force: true });
});

function launch(only: string): ServiceProcess {
  const service = spawnService(env, { only });
  processes.push(service);
  return service;
}

const readService = async () =>
  JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as {
    baseUrl: string;
    apiKey: string;
    accountId: string;
    endpoints: { dynamodb: string; sqs: string; s3: string };
  };

/** What another API process says of the account after the stop. */
async function readAccount() {
  await launch('api').ready;
  const client = await connect(dataDir);
  const { runs } = (await (await client.request('/v1/agents/runs')).json()) as {
    runs: { agentId: string }[];
  };
  const { entries } = await client.credits();
  const charges = entries.filter(({ kind }) => kind !== 'credit').map(({ amount }) => amount);
  return { runs: runs.map(({ agentId }) => agentId), charges: charges.toSorted() };
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Asks for a run about an image, which the vision model never answers about. */
async function sendImage(): Promise<Response> {
  const { baseUrl, apiKey } = await readService();
  const form = new FormData();
  form.set('question', 'What is it?');
  form.set('file', new Blob([png]), 'a.png');
  const headers = { Authorization: `Bearer ${apiKey}` };
  return fetch(`${baseUrl}/v1/agents/runs`, { method: 'POST', headers, body: form });
}

/** Sends the beginning of a form with a file, and goes on sending nothing. Resolves with the answer. */
async function sendHalfForm(): Promise<string> {
  const { baseUrl, apiKey } = await readService();
  const socket = connectSocket(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /v1/agents/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n` +
      'Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 100000\r\n\r\n' +
      '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf of it',
  );
  return text(socket);
}

const streams = 8;
const messages = [{ role: 'user', content: 'Say hello' }];

test('an API that is told to stop ends what is in flight after its grace, charges what it delivered, and refuses the rest', async () => {
  const asked = Promise.withResolvers<void>();
  let waiting = 4;
  upstream.script(async (wire, { path: route, body }) => {
    if (body.stream === true) {
      await wire.head();
      await wire.send(event(chunk({ content: `Hello ${upstream.requests.length}` })));
    }
    // Streams are waited for below; these have not been answered when the stop comes.
    else if (route !== '/v1/models' && --waiting === 0) asked.resolve();
  });
  const api = launch('api');
  await api.ready;
  const client = await connect(dataDir);
  const post = (route: string, body: object) =>
    client.request(route, { method: 'POST', body: JSON.stringify(body) });
  const open = await Promise.all(
    Array.from({ length: streams }, (_, i) =>
      post('/v1/chat/completions', {
        model: 'writer',
        stream: true,
        messages,
        ...(i % 2 === 0 && { stream_options: { include_usage: true } }),
      }),
    ),
  );
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  const agentId = await client.start({ question: 'Is anyone there?' });
  const run = await client.request(`/v1/agents/runs/${agentId}/stream`);
  const form = sendHalfForm();
  const image = sendImage();
  const plain = [1, 2].map(() => post('/v1/chat/completions', { model: 'writer', messages }));
  const decision = post('/v1/systemone', {
    model: 'judge',
    state: 'It rains.',
    questions: { wet: { type: 'noul' } },
  });
  await asked.promise;

  api.child.kill('SIGTERM');
  const streamed = open.map((response) => response.text());
  // The stream of a run ends at once, before those of chat have had their grace, and cleanly, for its reader to resume.
  const first = await Promise.race([run.text(), ...streamed]);
  // A slow machine has had the time for comments.
  expect(first.replace(/^:.*\n+/gm, '')).toBe('retry: 1000\n\n');
  await expect(client.request('/healthz')).rejects.toThrow('fetch failed');

  const ended = (await Promise.all(streamed)).map(readChunks);
  for (const { chunks, done } of ended) {
    expect(chunks.at(-1)?.error).toMatchObject({ type: 'server_error', code: 'upstream_failed' });
    expect(chunks.at(-2)).toMatchObject({
      usage: { prompt_tokens: 9 },
      impact: { version: expect.anything() },
    });
    expect(done).toBe(true);
  }
  for (const answer of await Promise.all(plain)) {
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({
      error: { type: 'server_error', code: 'stopping', param: null },
    });
  }
  for (const refused of await Promise.all([decision, image]))
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(await form).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 5\r\n[\s\S]*"This server is stopping/i);

  // A process that took longer than it may would have ended with status 1.
  const { status, stderr } = await api.ended;
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /"stopped with work in flight".*"streamsEnded":8,"requestsRefused":5,"unfinished":0/,
  );
  // Neither a run nor a charge is left of what was refused.
  const charged = ended.map(({ chunks }) => {
    const usage = chunks.at(-2)!.usage!;
    return String(-(usage.prompt_tokens + 2 * usage.completion_tokens) / 1_000_000);
  });
  expect(await readAccount()).toEqual({ runs: [agentId], charges: charged.toSorted() });
});
