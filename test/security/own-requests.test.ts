import { beforeAll, expect, test } from 'vitest';
import type { Provider } from '../support/model-server.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';
import { simpleCatalogue, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let judge: ScriptedUpstream;
let service: TestService;

beforeAll(async () => {
  judge = await startUpstream();
  return () => judge.close();
});
useService(
  (started) => ({ provider, service } = started),
  ({ baseUrl }) => {
    const decision = {
      id: 'judge',
      kind: 'decision',
      upstream: { baseUrl: judge.baseUrl.replace(/\/v1$/, ''), model: 'judge' },
      price: { inputPerMillionTokens: 1 },
    };
    return { catalogue: simpleCatalogue(baseUrl, { models: [decision] }) };
  },
);

const billed = {
  ...{ service_tier: 'priority', store: true, models: ['x'], provider: {}, plugins: [], n: 128 },
  ...{ max_tokens: 1e9, web_search_options: {}, extra_body: { service_tier: 'priority' } },
};

test("a run asks its models with the service's own fields only", async () => {
  await service.follow(await service.start({ question: 'How deep is it?', ...billed }));
  expect(provider.requests.length).toBeGreaterThan(0);
  for (const request of provider.requests) {
    expect(Object.keys(request).sort()).toEqual(
      ['max_tokens', 'messages', 'model', 'stream', 'tool_choice', 'tools'].sort(),
    );
    expect(request.max_tokens).toBe(4_096);
  }
});

test("a decision asks its model with the service's own fields only", async () => {
  judge.script((wire) => wire.json(400, {}));
  const questions = { deep: { type: 'noul' } };
  await service.post('/v1/systemone', { model: 'judge', state: null, questions, ...billed });
  expect(judge.requests.map(({ body }) => Object.keys(body).sort())).toEqual([
    ['model', 'questions', 'state'],
  ]);
});
