import { limits } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skills } from '../versions/kinds.ts';
import { type Caller, type NamedService, startService } from '../versions/support.ts';

let service: NamedService;
let caller: Caller;
beforeAll(async () => {
  service = await startService(skills);
  caller = await service.newCaller();
});
afterAll(() => service.close());

const post = (body: unknown) => caller.send('POST', '/v1/skills', { body });
const valid = { name: 'valid', instructions: 'Do it.' };

describe('instructions that are too long', () => {
  test('too long instructions answer JSON with the limit and the length', async () => {
    const limit = limits.skillInstructionsCharacters;
    const actual = limit + 1;
    const answer = await post({ ...valid, instructions: '🙂'.repeat(actual) });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(answer.json<unknown>()).toEqual({
      error: { message: expect.any(String), code: 'instructions_too_long', limit, actual },
    });
  });

  test('too long instructions are refused before anything else that is wrong', async () => {
    const actual = limits.skillInstructionsCharacters + 5_000;
    const answer = await post({ name: '', description: 5, instructions: 'x'.repeat(actual) });
    expect(answer.json<unknown>()).toMatchObject({ error: { code: 'instructions_too_long', actual } });
  });

  test('in a patch answer JSON, whatever else is wrong', async () => {
    const limit = limits.skillInstructionsCharacters;
    const { id } = await caller.create({ name: 'tone', instructions: 'one' });
    const answer = await caller.send('PATCH', `/v1/skills/${id}`, {
      body: { name: null, instructions: 'x'.repeat(limit + 1) },
    });
    expect(answer.json<unknown>()).toMatchObject({
      error: { code: 'instructions_too_long', limit, actual: limit + 1 },
    });
  });
});
