import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { addCredits, showCredits } from '@errand/accounts';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import { type ScriptedUpstream, startUpstream, type Wire } from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, startChatService } from './support/chat-service.ts';
import { answersPlainly, hello } from './support/chunks.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
let account: { key: string; accountId: string };

beforeAll(async () => {
  upstream = await startUpstream();
  service = await startChatService(chatCatalogue(upstream.baseUrl));
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});
beforeEach(async () => {
  account = await newTestAccount(service.deps.accounts);
});

const question = (stream: boolean) => ({
  model: 'writer',
  stream,
  messages: [{ role: 'user', content: 'Say hello' }],
});

const ask = (body: unknown = question(false)) => service.post(body, { key: account.key });

/** From here on every count of a request waits until it is released. */
function holdCounts(): () => void {
  const gate = Promise.withResolvers<void>();
  service.dynamo.dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName === 'UpdateItemCommand') await gate.promise;
      return next(args);
    },
    { step: 'initialize', name: 'holdCounts', override: true },
  );
  return gate.resolve;
}

/** From here on this command fails once that has happened. */
function failCommand(name: string, after: Promise<unknown>) {
  const failing = { on: true };
  service.dynamo.dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== name || !failing.on) return next(args);
      await after;
      throw new Error('no network');
    },
    { step: 'initialize', name: 'failCommand', override: true },
  );
  return () => {
    failing.on = false;
  };
}

const spendCredits = () =>
  addCredits(service.deps.accounts, { accountId: account.accountId, amountNanoEuro: -10_000_000_000 });

/** As if every request of this window had been counted. */
async function spendWindow() {
  const { tables, clock } = service.deps.accounts;
  const seconds = Math.floor(clock() / 1000);
  await service.dynamo.dynamodb.send(
    new UpdateCommand({
      TableName: tables.accounts,
      Key: { pk: `RATE#${account.accountId}`, sk: String(seconds - (seconds % limits.windowSeconds)) },
      UpdateExpression: 'ADD requests :count',
      ExpressionAttributeValues: { ':count': limits.requestsPerWindow },
    }),
  );
}

const charges = async () =>
  (await showCredits(service.deps.accounts, account)).entries.filter(({ kind }) => kind === 'completion');

/** A provider that has been asked and does not answer. */
function silentProvider(): Promise<Wire> {
  const asked = Promise.withResolvers<Wire>();
  upstream.script((wire) => asked.resolve(wire));
  return asked.promise;
}

test('an account that is not known waits for the store before its provider is asked', async () => {
  upstream.script(answersPlainly);
  const before = upstream.requests.length;
  const release = holdCounts();
  const answer = ask();
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  expect(upstream.requests.length).toBe(before);
  release();
  expect((await answer).status).toBe(200);
});

describe('an account that had plenty', () => {
  beforeEach(async () => {
    upstream.script(answersPlainly);
    expect((await ask()).status).toBe(200);
  });

  test.each([false, true])(
    'has its provider asked meanwhile, and sees nothing before (stream: %s)',
    async (stream) => {
      const asked = Promise.withResolvers<void>();
      const script = stream ? hello : answersPlainly;
      upstream.script((wire, request) => {
        asked.resolve();
        return script(wire, request);
      });
      const release = holdCounts();
      let answered = false;
      const answer = ask(question(stream)).finally(() => {
        answered = true;
      });
      await asked.promise;
      for (let i = 0; i < 50; i++) await new Promise(setImmediate);
      expect(answered).toBe(false);
      release();
      const response = await answer;
      expect(response.status).toBe(200);
      expect(response.headers.get('RateLimit-Remaining')).toBe(String(limits.requestsPerWindow - 2));
      expect(await response.text()).toContain('"impact"');
      expect(await charges()).toHaveLength(2);
    },
  );

  test.each([
    ['429', spendWindow, 429],
    ['402', spendCredits, 402],
  ])(
    '%s: its provider is left alone and nothing is charged, then it waits like any other',
    async (_, spend, status) => {
      await spend();
      const asked = silentProvider();
      const release = holdCounts();
      const refused = ask(question(true));
      const wire = await asked;
      release();
      const response = await refused;
      expect(response.status).toBe(status);
      expect(response.headers.get('RateLimit-Limit')).toBe(String(limits.requestsPerWindow));
      await wire.closed;
      const before = upstream.requests.length;
      expect((await ask()).status).toBe(status);
      expect(upstream.requests.length).toBe(before);
      expect(await charges()).toHaveLength(1);
    },
  );

  test.each([
    ['BatchGetItemCommand', false],
    ['BatchGetItemCommand', true],
    ['UpdateItemCommand', false],
    ['UpdateItemCommand', true],
  ])('hears of a failing store, and its provider is left alone (%s, stream: %s)', async (command, stream) => {
    const asked = silentProvider();
    const stopFailing = failCommand(command, asked);
    const answer = ask(question(stream));
    const wire = await asked;
    const response = await answer;
    expect(response.status).toBe(500);
    expect(response.headers.get('x-hono-already-sent')).toBeNull();
    expect(await response.json()).toEqual({ error: 'Internal server error' });
    await wire.closed;
    stopFailing();
    expect(await charges()).toHaveLength(1);
  });

  test('hears of its credits before it hears of its body', async () => {
    await spendCredits();
    expect((await ask('{"model":')).status).toBe(402);
  });

  test('hears of its rate before it hears of its body', async () => {
    await spendWindow();
    expect((await ask('{"model":')).status).toBe(429);
  });

  test('hears of its body otherwise', async () => {
    const response = await ask('{"model":');
    expect(response.status).toBe(400);
    expect(response.headers.get('RateLimit-Remaining')).toBe(String(limits.requestsPerWindow - 2));
  });
});
