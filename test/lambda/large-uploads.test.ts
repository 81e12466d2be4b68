import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cloud, originSecret, startCloud } from '../support/lambda/cloud.ts';
import { type Container, startContainer, untilHealthy } from '../support/lambda/container.ts';
import { type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let cloud: Cloud;
let container: Container;

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  container = await startContainer(cloud, 'large-uploads', 'agents');
  await untilHealthy(container);
});

afterAll(async () => {
  await container?.kill();
  await cloud?.stop();
  await provider?.close();
});

test('a form that is larger than Lambda takes is accepted by the container, with the permissions of the agents', async () => {
  const form = new FormData();
  form.set('question', 'What was said?');
  form.set('file', new Blob([Buffer.from('RIFF\0\0\0\0WAVEfmt '), new Uint8Array(20_000_000)]), 'talk.wav');
  const answer = await container.ask('/v1/agents/runs', { method: 'POST', body: form });
  expect([answer.status, await answer.json()]).toEqual([202, expect.objectContaining({ status: 'queued' })]);
  expect((await cloud.receive())?.body).toContain('"kind":"run"');
});

test('the container refuses requests that did not come through the router', async () => {
  const answer = await container.ask('/v1/agents', { headers: { 'X-Origin-Secret': '' } });
  expect(answer.status).toBe(403);
});

test('a container that gets SIGTERM finishes the form that is on its way, and exits', async () => {
  const part = (disposition: string, text: string) =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
  const sending = request(`${container.baseUrl}/v1/agents/runs`, {
    method: 'POST',
    headers: {
      'X-Origin-Secret': originSecret,
      Authorization: `Bearer ${cloud.apiKey}`,
      'Content-Type': 'multipart/form-data; boundary=b',
      Expect: '100-continue',
    },
  });
  sending.write(part('name="question"', 'What is it?'));
  await once(sending, 'continue');
  const ended = container.terminate();
  sending.end(`${part('name="file"; filename="a.txt"', 'A lake.')}--b--\r\n`);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(202);
  expect(await ended).toBe(0);
});
