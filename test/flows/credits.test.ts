import { createKey } from '@errand/accounts';
import { showCredits } from '@errand/money';
import { accountsDeps } from '@errand/service';
import { expect } from 'vitest';
import type { HeldCall } from '../billing/support/held-provider.ts';
import type { House, RunView } from '../billing/support/house.ts';
import { expectCharged, useStage, withHouse } from '../billing/support/row.ts';
import { heldClock } from '../support/accounts.ts';
import type { RunEvent } from '../support/service.ts';
import { type FormEntry, png } from '../uploads/support.ts';

useStage();

/** No day of a budget and no month of a ceiling ends in between. */
const withinADay = (name: string, run: Parameters<typeof withHouse>[1]) =>
  withHouse(name, run, { clock: heldClock(new Date().toISOString()) });

const nanoEuro = (decimal: string) => Math.round(Number(decimal) * 1e9);

/** A model that writes as much as it may, and calls a tool for as long as it may. */
function talkative({ provider }: House): void {
  provider.script((call) => {
    const { tool_choice, max_tokens = 0 } = call.body;
    // A chat or an image has no tools, and a short question.
    const usage = { input: tool_choice === undefined ? 9 : 600, output: max_tokens };
    if (tool_choice === undefined) call.complete('Text.', usage);
    else if (tool_choice === 'none') call.complete(`Text ${provider.asked.length}.`, usage);
    else call.callTools([{ name: 'write_todos', args: { todos: [] } }], usage);
  });
}

interface PaidBy {
  key: string;
  organisationId?: string;
}

/** Works a run off, and expects that no more is reserved and that its charges are its usage. */
async function workOff(house: House, agentId: string, { key, organisationId }: PaidBy = house.caller) {
  const events = await house.follow(agentId, key);
  const run = await house.read(agentId, key);
  const { accountId } = house.caller;
  const { entries } = await showCredits(
    accountsDeps(house.parts),
    organisationId === undefined ? { accountId } : { organisationId },
  );
  const spent = entries
    .filter(({ runId }) => runId === agentId)
    .reduce((sum, { amountNanoEuro }) => sum - amountNanoEuro, 0);
  expect(spent).toBe(nanoEuro(run.usage.credits));
  expect(await house.reserved(key)).toBe('0');
  return { events, run };
}

/** The answer of a run that had to stop: twice, and without a check. */
function expectStopped({ provider }: House, run: RunView, events: RunEvent[], stopReason: string): void {
  expect(run).toMatchObject({ status: 'succeeded', stopReason });
  const answer = `Text ${provider.asked.length}.`;
  expect(run.result).toBe(answer);
  expect(events.filter(({ type, text }) => type === 'text' && text === answer)).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: answer });
  expect(provider.asked.at(-1)?.body.tool_choice).toBe('none');
}

withHouse('a run with a cap in JSON ends between rounds, and costs no more than the cap', async (house) => {
  talkative(house);
  await house.startWorker();
  const { events, run } = await workOff(house, await house.run({ maxCredits: '0.04' }));
  expectStopped(house, run, events, 'credits');
  expect(house.provider.asked.length).toBeGreaterThan(2);
  expect(nanoEuro(run.usage.credits)).toBeLessThanOrEqual(40_000_000);
  expect(nanoEuro(run.usage.credits)).toBeGreaterThan(30_000_000);
});

withHouse('a run with a cap in a form ends between rounds, and costs no more than the cap', async (house) => {
  talkative(house);
  await house.startWorker();
  const response = await house.form([
    ['question', 'Why?'],
    ['maxCredits', '0.04'],
    ['file', { name: 'a.txt', bytes: 'text' }],
  ]);
  const { agentId } = (await response.json()) as { agentId: string };
  const { events, run } = await workOff(house, agentId);
  expectStopped(house, run, events, 'credits');
  expect(nanoEuro(run.usage.credits)).toBeLessThanOrEqual(40_000_000);
});

withHouse('what a cap bounds includes the image that was seen before the run', async (house) => {
  talkative(house);
  await house.startWorker();
  const response = await house.form([
    ['question', 'Why?'],
    ['maxCredits', '0.06'],
    ['file', { name: 'dot.png', bytes: png }],
  ]);
  const { agentId } = (await response.json()) as { agentId: string };
  const { run } = await workOff(house, agentId);
  expect(run).toMatchObject({ status: 'succeeded', stopReason: 'credits' });
  expect(nanoEuro(run.usage.credits)).toBeLessThanOrEqual(60_000_000);
  expect(house.provider.asked.some(({ body }) => body.model === 'upstream-eyes')).toBe(true);
});

withHouse(
  'a run without a cap has that of the deployment, and one with a cap its own',
  async (house) => {
    talkative(house);
    await house.startWorker();
    const { events, run } = await workOff(house, await house.run());
    expectStopped(house, run, events, 'credits');
    expect(nanoEuro(run.usage.credits)).toBeLessThanOrEqual(40_000_000);
    const other = await workOff(house, await house.run({ maxCredits: '0.06' }));
    expect(nanoEuro(other.run.usage.credits)).toBeGreaterThan(40_000_000);
    expect(nanoEuro(other.run.usage.credits)).toBeLessThanOrEqual(60_000_000);
  },
  { env: { RUN_MAX_CREDITS: '0.04' } },
);

withHouse('a run that reaches the cap of rounds says so, and not that of credits', async (house) => {
  talkative(house);
  await house.startWorker();
  const { run } = await workOff(house, await house.run());
  expect(run).toMatchObject({ status: 'succeeded', stopReason: 'rounds' });
});

withHouse('a run that ends by itself has no stop reason', async (house) => {
  house.provider.script((call) => call.complete('Because.'));
  await house.startWorker();
  const { run } = await workOff(house, await house.run({ maxCredits: '1' }));
  expect(run).toMatchObject({ status: 'succeeded', result: 'Because.' });
  expect(run).not.toHaveProperty('stopReason');
});

withHouse('a cap that does not pay for the input of the first completion is a 400', async (house) => {
  const said = 'maxCredits: does not pay for the input of the first completion';
  const answers = [
    await house.post('/v1/agents/runs', { question: 'Why?', maxCredits: '0.000001' }),
    await house.form([
      ['question', 'Why?'],
      ['maxCredits', '0.000001'],
      ['file', { name: 'a.txt', bytes: 'text' }],
    ]),
  ];
  for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([400, said]);
  await expectCharged(house, house.caller, []);
});

withHouse(
  'an account that runs out in the middle of a run gets its answer, and does not fall below zero',
  async (house) => {
    talkative(house);
    await house.startWorker();
    const { events, run } = await workOff(house, await house.run());
    expectStopped(house, run, events, 'credits');
    expect(await balanceOf(house)).toBeGreaterThanOrEqual(0);
  },
  { credits: '0.05' },
);

withHouse(
  'of 400 runs at once that each need more than a quarter of the balance, four are accepted, and it does not fall below zero',
  async (house) => {
    talkative(house);
    const body = { question: 'Why?' };
    const ask = async (): Promise<Response> => {
      const answer = await house.post('/v1/agents/runs', body);
      // A store on a busy machine refuses for now.
      return answer.status === 503 ? ask() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 400 }, ask));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 402]));
    expect(accepted).toHaveLength(4);
    await house.startWorker();
    const runs = await Promise.all(
      accepted.map(async (answer) => ((await answer.json()) as { agentId: string }).agentId),
    );
    await Promise.all(runs.map((agentId) => house.follow(agentId)));
    const reads = await Promise.all(runs.map((agentId) => house.read(agentId)));
    expect(reads.map(({ status }) => status)).toEqual(runs.map(() => 'succeeded'));
    expect(await balanceOf(house)).toBeGreaterThanOrEqual(0);
    expect(await house.reserved()).toBe('0');
  },
  { credits: '0.08' },
);

withHouse(
  'of 40 forms at once, whose image and run each need more than a quarter of the balance, few are accepted, and it does not fall below zero',
  async (house) => {
    talkative(house);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        house.form([
          ['question', 'Why?'],
          ['file', { name: 'dot.png', bytes: png }],
        ]),
      ),
    );
    const accepted = answers.filter(({ status }) => status === 202);
    // A form that waits too long for the busy machine is told to come again.
    for (const { status } of answers) expect([202, 402, 503]).toContain(status);
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.length).toBeLessThanOrEqual(4);
    const seen = house.provider.asked.length;
    expect(seen).toBe(accepted.length);
    await house.startWorker();
    for (const answer of accepted) await house.follow(((await answer.json()) as { agentId: string }).agentId);
    expect(await balanceOf(house)).toBeGreaterThanOrEqual(0);
    expect(await house.reserved()).toBe('0');
  },
  { credits: '0.1' },
);

withHouse(
  'of 40 recordings at once that each need more than a quarter of the balance, four are transcribed at most',
  async (house) => {
    const spoken: HeldCall[] = [];
    house.provider.script((call) => {
      if (!call.path.endsWith('/transcriptions')) return call.complete('Because.');
      spoken.push(call);
      call.json(200, { duration: 10, language: 'en', segments: [] });
    });
    const audioUrl = `http://${house.provider.host}/talk.wav`;
    const runs: string[] = [];
    // More creations at once may wait too long on a busy machine. The worker takes all runs at once.
    while (runs.length < 40)
      runs.push(...(await Promise.all(Array.from({ length: 10 }, () => house.run({ audioUrl })))));
    await house.startWorker();
    const all = await Promise.all(runs.map((agentId) => house.follow(agentId)));
    const results = all.map((events) => events.find(({ type }) => type === 'tool_result')?.result);
    const tooDear = 'Error: The credits that are left do not suffice to transcribe the recording.';
    // On a busy machine a recording that was transcribed may still be an error for its run, or be transcribed again.
    const transcribed = results.filter((result) => !String(result).startsWith('Error: '));
    expect(transcribed.length).toBeLessThanOrEqual(Math.min(4, spoken.length));
    expect(results).toContain(tooDear);
    expect(spoken.length).toBeGreaterThan(0);
    expect(await balanceOf(house)).toBeGreaterThanOrEqual(0);
    expect(await house.reserved()).toBe('0');
  },
  { price: { inputPerMillionTokens: 0.000001, outputPerMillionTokens: 0.000001 }, credits: '0.0042' },
);

withinADay("a run spends its key's budget and no more, and then the key is told so", async (house) => {
  talkative(house);
  await house.startWorker();
  const { accountId } = house.caller;
  const budget = { amountNanoEuro: 50_000_000, period: 'day' } as const;
  const { key } = await createKey(accountsDeps(house.parts), {
    accountId,
    label: 'small',
    limits: { budget },
  });
  const { events, run } = await workOff(house, await house.run({}, { key }), { key });
  expectStopped(house, run, events, 'credits');
  expect(nanoEuro(run.usage.credits)).toBeLessThanOrEqual(50_000_000);
  for (const path of ['/v1/agents/runs', '/v1/chat/completions']) await untilSpent(house, path, key);
});

/** What is left of a budget may pay for one more, shorter answer. */
async function untilSpent(house: House, path: string, key: string): Promise<void> {
  const body = { question: 'Why?', model: 'writer', messages: [{ role: 'user', content: 'Say hello' }] };
  for (let times = 0; times < 10; times++) {
    const answer = await house.post(path, body, { key });
    const text = await answer.text();
    if (answer.status === 402) {
      expect(text).toContain('The budget of this key is spent: 0.05 EUR per day');
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
      return;
    }
    if (answer.status === 202) await house.follow((JSON.parse(text) as { agentId: string }).agentId, key);
  }
  throw new Error('the budget is never spent');
}

withinADay("an organisation's ceiling holds over its runs and chats, and the 402 names it", async (house) => {
  talkative(house);
  await house.startWorker();
  const { key, organisationId = '' } = await house.newCaller({ credits: '0', ceiling: '0.05' });
  const { run } = await workOff(house, await house.run({}, { key }), { key, organisationId });
  expect(run).toMatchObject({ status: 'succeeded', stopReason: 'credits' });
  let spent = nanoEuro(run.usage.credits);
  for (;;) {
    const answer = await house.chat({ max_tokens: 1_000 }, { key });
    const text = await answer.text();
    if (answer.status === 402) {
      expect(text).toContain(organisationId);
      break;
    }
    expect(answer.status).toBe(200);
    const { usage } = JSON.parse(text) as { usage: { completion_tokens: number; prompt_tokens: number } };
    spent += usage.prompt_tokens * 1_000 + usage.completion_tokens * 2_000;
  }
  // Nothing of the ceiling stays reserved: it is spent to the last token.
  expect(spent).toBeLessThanOrEqual(50_000_000);
  expect(spent).toBeGreaterThan(49_500_000);
  const refused = await house.post('/v1/agents/runs', { question: 'Why?' }, { key });
  expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining(organisationId)]);
});

withHouse(
  'what a run had set aside of a budget or a ceiling is there again when it is cancelled or cannot be queued',
  async (house, { open }) => {
    const unqueued = await open({ caller: house.caller });
    unqueued.parts.aws.sqs.middlewareStack.add(() => () => Promise.reject(new Error('no queue')), {
      step: 'initialize',
      name: 'fail',
    });
    house.provider.script((call) => call.complete('Grey.'));
    const budget = { amountNanoEuro: 60_000_000, period: 'total' } as const;
    const deps = accountsDeps(house.parts);
    const { accountId } = house.caller;
    const budgeted = await createKey(deps, { accountId, label: 'small', limits: { budget } });
    const bounded = await house.newCaller({ credits: '0', ceiling: '0.06' });
    const form: FormEntry[] = [
      ['question', 'Why?'],
      ['file', { name: 'dot.png', bytes: png }],
    ];
    for (const { key } of [budgeted, bounded]) {
      for (let times = 0; times < 4; times++) {
        expect((await unqueued.form(form, { key })).status).toBe(503);
        expect((await unqueued.post('/v1/agents/runs', { question: 'Why?' }, { key })).status).toBe(503);
        await house.cancel(await house.run({}, { key }), key);
      }
    }
  },
);

withHouse(
  'where the model is free, runs with and without a cap cost nothing, for accounts that have something',
  async (house) => {
    house.provider.script((call) => call.complete('Because.'));
    await house.startWorker();
    for (const body of [{}, { maxCredits: '0.000000001' }]) {
      const { run } = await workOff(house, await house.run(body));
      expect(run).toMatchObject({ status: 'succeeded', result: 'Because.', usage: { credits: '0' } });
    }
    expect((await house.chat()).status).toBe(200);
    const { key } = await house.newCaller({ credits: '0' });
    expect((await house.chat({}, { key })).status).toBe(402);
  },
  { price: { inputPerMillionTokens: 0, outputPerMillionTokens: 0 }, credits: '0.000000001' },
);

async function balanceOf(house: House): Promise<number> {
  const credits = (await (await house.request('/v1/credits')).json()) as { balance: string };
  return nanoEuro(credits.balance);
}
