import { expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let service: TestService;

useService(
  (started) => ({ service } = started),
  ({ baseUrl }) => {
    const model = (id: string, more: object = {}) => ({
      id,
      kind: 'chat',
      upstream: { baseUrl, model: `upstream-${id}` },
      price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
      contextTokens: 32_768,
      ...more,
    });
    const models = [model('mute', { tools: false }), model('able')];
    return { catalogue: { models, roles: { reasoning: 'mute' } }, env: { RUN_PROOF: 'true' } };
  },
);

const create = async (body: object) => {
  const response = await service.post('/v1/agents/runs', { question: 'Q?', ...body });
  return [response.status, await response.text()];
};

test('a service whose own model takes no tools says so, and makes runs with one that does', async () => {
  expect(await create({})).toEqual([
    400,
    expect.stringContaining('model: is required: mute, which works on runs here, takes no tools'),
  ]);
  expect((await create({ model: 'able' }))[0]).toBe(202);
});

test("a request for proof is refused without a decision model; a deployment's default of proof refuses no run", async () => {
  expect(await create({ model: 'able', proof: true })).toEqual([
    400,
    expect.stringContaining('proof: needs a decision model, and this service has none'),
  ]);
  expect((await create({ model: 'able', proof: false }))[0]).toBe(202);
});
