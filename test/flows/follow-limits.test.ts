import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  createKey,
  freezeAccount,
  type KeyChanges,
  revokeKey,
  thawAccount,
  updateKey,
  updateOrganisation,
} from '@errand/accounts';
import { addCredits, parseEuro } from '@errand/money';
import { type KeyLimits, runsPartitions } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { expect } from 'vitest';
import type { HeldCall } from '../billing/support/held-provider.ts';
import type { Caller, House } from '../billing/support/house.ts';
import { creditsOf, useStage, withHouse } from '../billing/support/row.ts';
import { heldClock } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';

useStage();

const runs = '/v1/agents/runs';
const functions = [{ name: 'stock_of', description: 'The stock.', parameters: { type: 'object' } }];

/** A model that does once what the question wants. */
function script(call: HeldCall): void {
  const said = JSON.stringify(call.body.messages);
  if (said.includes('"role":"tool"')) call.complete('Done.');
  else if (said.includes('Save it.'))
    call.callTools([{ name: 'save_data', args: { name: 'a', value: 'b' } }]);
  else if (said.includes('Is there rope?')) call.callTools([{ name: 'stock_of', args: {} }]);
  else call.complete('Because.');
}

type Key = Pick<Caller, 'accountId' | 'keyId' | 'key'> & { organisationId?: string };

/** A run that has ended with a call for its caller. */
async function asking(house: House, { key }: Pick<Key, 'key'>, body: object) {
  const previousRunId = await house.run(body, { key });
  const end = (await house.follow(previousRunId, key)).at(-1) as unknown as { calls: { id: string }[] };
  return { previousRunId, callId: end.calls[0]!.id };
}

/** The creations that may follow two runs that ask, by their paths. The first of them follows none. */
async function creations(house: House, key: Key) {
  const saving = await asking(house, key, { question: 'Save it.', approve: 'writes' });
  const calling = await asking(house, key, { question: 'Is there rope?', functions });
  const { previousRunId, callId } = saving;
  const approving = { previousRunId, approve: 'writes', approvals: [{ callId, approve: true }] };
  const resulting = {
    ...{ previousRunId: calling.previousRunId, functions },
    functionResults: [{ callId: calling.callId, result: '3' }],
  };
  const asked = (await (await house.request(`/v1/responses/${previousRunId}`, { key: key.key })).json()) as {
    output: { id: string }[];
  };
  const input = [{ type: 'mcp_approval_response', approval_request_id: asked.output[0]!.id, approve: true }];
  return {
    approving,
    resulting,
    ofRuns: [{ question: 'Why?' }, { question: 'Why?', previousRunId }, approving, resulting],
    ofResponses: { model: 'agent:default', previous_response_id: previousRunId, input },
  };
}

interface Limit {
  status: number;
  /** The limits that the key has before. */
  limits?: KeyLimits;
  ceiling?: string;
  /** A limit that the creation itself names. */
  body?: object;
  set?(house: House, key: Key): Promise<unknown>;
  lift?(house: House, key: Key): Promise<unknown>;
}

const ofKey = (set: KeyChanges, lift: KeyChanges): Pick<Limit, 'set' | 'lift'> => ({
  set: ({ parts }, { keyId }) => updateKey(accountsDeps(parts), keyId, set),
  lift: ({ parts }, { keyId }) => updateKey(accountsDeps(parts), keyId, lift),
});

const budget = (period: 'day' | 'month'): Limit => ({
  status: 402,
  limits: { budget: { amountNanoEuro: 1e9, period } },
  ...ofKey({ budget: { amountNanoEuro: 1 } }, { budget: { amountNanoEuro: 1e9 } }),
});

const ceilingOf =
  (amountNanoEuro: number): Limit['set'] =>
  ({ parts }, { organisationId = '' }) =>
    updateOrganisation(accountsDeps(parts), { organisationId, ceilingNanoEuro: amountNanoEuro });

const add = ({ parts }: House, { accountId }: Key, amount: string) =>
  addCredits(accountsDeps(parts), { accountId, amountNanoEuro: parseEuro(amount) ?? 0 });

const table: Record<string, Limit> = {
  'the rate of its key': { status: 429, limits: { rate: 1_000 }, ...ofKey({ rate: 1 }, { rate: null }) },
  'the daily budget of its key': budget('day'),
  'the monthly budget of its key': budget('month'),
  'the ceiling of its organisation': {
    ...{ status: 402, ceiling: '1', set: ceilingOf(1), lift: ceilingOf(1e9) },
  },
  'the end of its credits': {
    status: 402,
    set: async (house, key) => add(house, key, `-${(await creditsOf(house, key.key)).balance}`),
    lift: (house, key) => add(house, key, '1'),
  },
  'the models of its key': { status: 403, ...ofKey({ models: ['eyes'] }, { models: null }) },
  'the routes of its key': { status: 403, ...ofKey({ routes: ['chat'] }, { routes: null }) },
  'the expiry of its key': {
    ...{ status: 401, ...ofKey({ expiresAt: '2026-01-01T00:00:00.000Z' }, { expiresAt: null }) },
  },
  'the freezing of its account': {
    status: 401,
    set: ({ parts }, { accountId }) => freezeAccount(accountsDeps(parts), accountId),
    lift: ({ parts }, { accountId }) => thawAccount(accountsDeps(parts), accountId),
  },
  'the revocation of its key': {
    status: 401,
    set: ({ parts }, { keyId }) => revokeKey(accountsDeps(parts), keyId),
  },
  'a cap that does not pay for its beginning': { status: 400, body: { maxCredits: '0.000001' } },
};

async function keyWith(house: House, { limits, ceiling }: Limit): Promise<Key> {
  const owner = ceiling === undefined ? house.caller : await house.newCaller({ credits: '0', ceiling });
  if (!limits) return owner;
  const { accountId } = owner;
  return {
    accountId,
    ...(await createKey(accountsDeps(house.parts), { accountId, label: 'limited', limits })),
  };
}

/** An answer's status and text. What is needed depends on what a run begins with. */
const toldBy = async (answer: Response): Promise<[number, string]> => [
  answer.status,
  (await answer.text()).replace(/"needed":"[\d.]+"/, '"needed":"..."'),
];

const listed = async (house: House, { key }: Key) =>
  ((await (await house.request(runs, { key })).json()) as { runs: object[] }).runs.length;

for (const [name, limit] of Object.entries(table))
  withHouse(
    `a run that follows is refused by ${name} as a first run is, in the same words, and the refusal uses up no approval and no Idempotency-Key`,
    async (house) => {
      house.provider.script(script);
      await house.startWorker();
      const owner = await keyWith(house, limit);
      const { key } = owner;
      const { approving, resulting, ofRuns, ofResponses } = await creations(house, owner);
      const before = await listed(house, owner);
      const headers = { 'Idempotency-Key': 'once' };
      const create = async (path: string, body: object) =>
        toldBy(await house.post(path, body, { key, headers }));
      await limit.set?.(house, owner);
      const [first, ...others] = await Promise.all(
        ofRuns.map((body) => create(runs, { ...body, ...limit.body })),
      );
      expect(first).toEqual([limit.status, expect.stringMatching(/\w/)]);
      const form = await house.form(
        [...Object.entries({ ...ofRuns[1], ...limit.body }), ['file', { name: 'a.txt', bytes: 'text' }]],
        { key, headers },
      );
      for (const other of [...others, await toldBy(form)]) expect(other).toEqual(first);
      if (!limit.body) expect((await create('/v1/responses', ofResponses))[0]).toBe(limit.status);
      if (!limit.lift && limit.set) return;
      await limit.lift?.(house, owner);
      expect(await listed(house, owner)).toBe(before);
      const agentId = await house.run({ question: undefined, ...approving }, { key, headers });
      const events = await house.follow(agentId, key);
      expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
      expect(await create(runs, approving)).toEqual([202, expect.stringContaining(agentId)]);
      expect((await house.post(runs, approving, { key })).status).toBe(409);
      await house.follow(await house.run({ question: undefined, ...resulting }, { key }), key);
    },
    // The instant stands still, so that no window of a rate and no day of a budget ends in between.
    { clock: heldClock(new Date().toISOString()) },
  );

withHouse(
  'one Idempotency-Key makes one run that follows, and none that follows another run',
  async (house) => {
    house.provider.script(script);
    await house.startWorker();
    const saving = await asking(house, house.caller, { question: 'Save it.', approve: 'writes' });
    const other = await asking(house, house.caller, { question: 'Save it.', approve: 'writes' });
    const headers = { 'Idempotency-Key': 'once' };
    const create = async (body: object) => {
      const answer = await house.post(runs, body, { headers });
      return [answer.status, await answer.text()];
    };
    const follow = ({ previousRunId }: typeof saving) => ({ question: 'Why?', previousRunId });
    const [status, text] = await create(follow(saving));
    expect(status).toBe(202);
    expect(await create(follow(saving))).toEqual([202, text]);
    const { previousRunId, callId } = saving;
    const approving = { previousRunId, approve: 'writes', approvals: [{ callId, approve: true }] };
    for (const body of [follow(other), { question: 'Why?' }, approving])
      expect(await create(body)).toEqual([409, 'This Idempotency-Key was used with another request body.']);
    const agentId = await house.run({ question: undefined, ...approving });
    expect((await house.follow(agentId)).filter(({ type }) => type === 'tool_call')).toHaveLength(1);
  },
);

const waitingRuns = async ({ parts, caller }: House) =>
  (
    await parts.aws.dynamodb.send(
      new QueryCommand({
        TableName: parts.tables.runs,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :waiting)',
        ExpressionAttributeValues: {
          ':pk': `${runsPartitions.activeRuns}${caller.accountId}`,
          ':waiting': 'WAITING#',
        },
        ConsistentRead: true,
      }),
    )
  ).Count;

withHouse(
  'a run that follows waits for a place among the active runs of its account, and then makes the approved call',
  async (house) => {
    const held: HeldCall[] = [];
    house.provider.script((call) => {
      if (JSON.stringify(call.body.messages).includes('Wait.')) held.push(call);
      else script(call);
    });
    await house.startWorker();
    const { previousRunId, callId } = await asking(house, house.caller, {
      ...{ question: 'Save it.', approve: 'writes' },
    });
    const working = await house.run({ question: 'Wait.' });
    await eventually(() => held.length).toBe(1);
    const asked = house.provider.asked.length;
    const approvals = [{ callId, approve: true }];
    const next = await house.run({ question: undefined, previousRunId, approve: 'writes', approvals });
    await eventually(() => waitingRuns(house)).toBe(1);
    expect((await house.read(next)).status).toBe('queued');
    expect(house.provider.asked).toHaveLength(asked);
    house.provider.script(script);
    held[0]!.complete('Waited.');
    await house.follow(working);
    const events = await house.follow(next);
    expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
    expect(await waitingRuns(house)).toBe(0);
  },
  { env: { ACTIVE_RUNS_PER_ACCOUNT: '1' } },
);

withHouse(
  'a cap is of one run: what is carried over counts as its input, and what the run before has cost does not',
  async (house) => {
    const { provider } = house;
    provider.script((call) => call.complete('It was the wind. '.repeat(2_000)));
    await house.startWorker();
    const previousRunId = await house.run();
    await house.follow(previousRunId);
    const cap = { maxCredits: '0.01' };
    const first = await house.run(cap);
    await house.follow(first);
    const refused = await house.post(runs, { question: 'Why?', previousRunId, ...cap });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      'maxCredits: does not pay for the input of the first completion',
    ]);
    provider.script((call) => {
      const usage = { input: 12_000, output: call.body.max_tokens ?? 0 };
      if (call.body.tool_choice === 'none') call.complete('Text.', usage);
      else call.callTools([{ name: 'write_todos', args: { todos: [] } }], usage);
    });
    const next = await house.run({ previousRunId, maxCredits: '0.05' });
    await house.follow(next);
    const { stopReason, usage } = await house.read(next);
    expect(stopReason).toBe('credits');
    expect(Number(usage.credits)).toBeLessThanOrEqual(0.05);
    expect(Number(usage.credits)).toBeGreaterThan(0.012);
  },
);
