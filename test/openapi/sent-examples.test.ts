import { beforeAll, expect, test } from 'vitest';
import { useSteadyService } from '../clients/generated/steady-provider.ts';
import { describedApp, type OpenApiDocument } from '../support/openapi-document.ts';
import type { TestService } from '../support/service.ts';

let document: OpenApiDocument;
let service: TestService;

useSteadyService((started) => ({ service } = started));
beforeAll(async () => {
  ({ document } = await describedApp());
});

const exampleOf = (route: string, type = 'application/json') =>
  document.paths[route]?.post?.requestBody?.content[type]?.example;

const send = (route: string, init: RequestInit) =>
  fetch(`${service.baseUrl}${route}`, {
    method: 'POST',
    ...init,
    headers: { Authorization: `Bearer ${service.apiKey}`, ...init.headers },
  });

test.each([
  ['/v1/chat/completions', 200],
  ['/v1/embeddings', 200],
  ['/v1/messages', 200],
  ['/v1/messages/count_tokens', 200],
  ['/v1/systemone', 200],
  ['/v1/decisions', 200],
  ['/v1/skills', 201],
  ['/v1/uploads', 201],
])('the example of POST %s can be sent as it is', async (route, status) => {
  const answer = await send(route, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(exampleOf(route)),
  });
  expect([answer.status, await answer.text()]).toEqual([status, expect.any(String)]);
});

test('the example of a form starts a run if its file has a name with an extension', async () => {
  const form = new FormData();
  for (const [name, value] of Object.entries(exampleOf('/v1/agents/runs', 'multipart/form-data') as object))
    if (name === 'file') form.append(name, new Blob([value]), 'report.md');
    else form.append(name, value);
  const answer = await send('/v1/agents/runs', { body: form });
  expect([answer.status, await answer.json()]).toEqual([202, expect.objectContaining({ status: 'queued' })]);
});
