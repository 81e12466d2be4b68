import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';

let ground: Ground;
let desk: Desk;
let sent: string[];

beforeAll(async () => {
  ground = await startGround();
  // What the process knows of keys and agents stays as fresh as it is.
  const now = Date.now();
  desk = await openDesk(ground, () => now);
  sent = [];
  desk.parts.aws.dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      sent.push(String(context.commandName));
      return next(args);
    },
    { step: 'initialize', name: 'sent' },
  );
});
afterAll(async () => {
  desk.close();
  await ground.close();
});

const post = (path: string, body: object) =>
  desk.request(path, { method: 'POST', body: JSON.stringify(body) });

/** What a creation asks the store, of a process that has created one before. */
async function askedBy(body: object): Promise<string[]> {
  sent.length = 0;
  expect((await post('/v1/agents/runs', { question: 'When?', ...body })).status).toBe(202);
  return sent.splice(0);
}

test('a creation by an agent asks the store once more, and not at all for one that the process knows', async () => {
  await desk.start({ question: 'First?' });
  const without = await askedBy({});
  expect((await post('/v1/agents', { name: 'tides', instructions: 'Be brief.' })).status).toBe(201);
  expect(await askedBy({ agent: 'default' })).toEqual(without);
  expect(await askedBy({ agent: 'tides' })).toEqual(['BatchGetItemCommand', ...without]);
  expect(await askedBy({ agent: 'tides' })).toEqual(without);
  expect(await askedBy({ agent: 'tides@1' })).toEqual(without);
});

test('a list of agents asks the store once for each owner whose agents the key sees', async () => {
  sent.length = 0;
  expect((await desk.request('/v1/agents')).status).toBe(200);
  expect(sent).toEqual(['UpdateItemCommand', 'QueryCommand', 'QueryCommand']);
});
