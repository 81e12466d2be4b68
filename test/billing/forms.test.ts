import { createKey, revokeKey } from '@errand/accounts';
import { readAccountPurse } from '@errand/money';
import { limits } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { wrapFiles } from '../support/files.ts';
import { type FormEntry, png } from '../uploads/support.ts';
import { expectCharged, row, sending, useStage, withHouse } from './support/row.ts';
import { holdTimeouts } from './support/timers.ts';

useStage();

const image: FormEntry[] = [
  ['question', 'Which colour?'],
  ['file', { name: 'dot.png', bytes: png }],
];
const seen = { input: 700, output: 30 };
const inputAlone = { kind: 'vision', outputTokens: 0, brokenOff: true, inputTokens: expect.any(Number) };
const seenCharge = { kind: 'vision', inputTokens: 700, outputTokens: 30, amount: '-0.00222' };

row(
  'form with an image',
  'the client leaves while the vision model works',
  'its input as `vision`, without a run',
  async (house) => {
    const { leave } = sending((signal) => house.form(image, { signal }));
    const call = await house.provider.next();
    leave();
    await call.closed;
    return [inputAlone];
  },
);

withHouse('an image whose caller leaves counts in the budget of its key', async (house) => {
  const deps = accountsDeps(house.parts);
  const limits = { budget: { amountNanoEuro: 1_000_000_000, period: 'total' as const } };
  const { accountId } = house.caller;
  const { keyId, key } = await createKey(deps, { accountId, label: 'spender', limits });
  const { leave } = sending((signal) => house.form(image, { signal, key }));
  const call = await house.provider.next();
  leave();
  await call.closed;
  await eventually(async () => (await readAccountPurse(deps, accountId)).holds.size).toBe(0);
  await expectCharged(house, house.caller, [inputAlone]);
  const { balanceNanoEuro, budgets } = await readAccountPurse(deps, accountId);
  const [spent] = [...budgets].filter(([name]) => name.includes(keyId)).map(([, amount]) => amount);
  expect(spent).toBe(10_000_000_000 - balanceNanoEuro);
});

row('form with an image', 'it is not read in time (502)', 'nothing', async (house) => {
  const end = holdTimeouts(limits.answerMilliseconds);
  const answer = house.form(image);
  const call = await house.provider.next();
  end();
  expect((await answer).status).toBe(502);
  await call.closed;
  return [];
});

row('form with an image', 'the vision model refuses it (502)', 'nothing', async (house) => {
  house.provider.script((call) => call.json(400, { error: { message: 'no' } }));
  expect((await house.form(image)).status).toBe(502);
  return [];
});

row('form with an image', 'the vision model fails, three times (502)', 'nothing', async (house) => {
  house.provider.script((call) => call.json(500, {}));
  expect((await house.form(image)).status).toBe(502);
  expect(house.provider.asked.length).toBeGreaterThan(1);
  return [];
});

row('form with an image', 'the vision model says nothing (502)', 'nothing', async (house) => {
  house.provider.script((call) => call.complete(' ', seen));
  expect((await house.form(image)).status).toBe(502);
  return [];
});

row(
  'form with an image',
  'the run is cancelled before its first step',
  'the vision call, once',
  async (house) => {
    house.provider.script((call) => call.complete('One grey pixel.', seen));
    const { agentId } = (await (await house.form(image)).json()) as { agentId: string };
    await house.cancel(agentId);
    await house.startWorker();
    await house.follow(agentId);
    return [{ ...seenCharge, runId: agentId }];
  },
);

row(
  'form with an image',
  'the key is revoked after it was seen (401)',
  'the vision call, without a run',
  async (first, { open }) => {
    let ahead = 0;
    const house = await open({ caller: first.caller, clock: () => Date.now() + ahead });
    const answer = house.form(image);
    const call = await house.provider.next();
    await revokeKey(accountsDeps(house.parts), house.caller.keyId);
    ahead = limits.keyCacheMilliseconds + 1;
    call.complete('One grey pixel.', seen);
    expect((await answer).status).toBe(401);
    return [seenCharge];
  },
);

row('form with an image', 'the queue takes no message (503)', 'nothing', async (house) => {
  house.provider.script((call) => call.complete('One grey pixel.', seen));
  house.parts.aws.sqs.middlewareStack.add(() => () => Promise.reject(new Error('no queue')), {
    step: 'initialize',
    name: 'fail',
  });
  expect((await house.form(image)).status).toBe(503);
  return [];
});

row('form with an image', 'the process stops (503)', 'nothing', async (house) => {
  const answer = house.form(image);
  const call = await house.provider.next();
  await house.stopApi();
  expect((await answer).status).toBe(503);
  await call.closed;
  return [];
});

row(
  'form with an image',
  'it comes 40 times at once with one `Idempotency-Key`',
  'one vision call; the other 39 read nothing',
  async (house) => {
    house.provider.script((call) => call.complete('One grey pixel.', seen));
    const headers = { 'Idempotency-Key': 'once' };
    const answers = await Promise.all(Array.from({ length: 40 }, () => house.form(image, { headers })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    const runs = await Promise.all(
      answers.map(async (answer) => (await answer.json()) as { agentId: string }),
    );
    const [{ agentId }] = runs as [{ agentId: string }];
    expect(new Set(runs.map((run) => run.agentId)).size).toBe(1);
    expect(house.provider.asked).toHaveLength(1);
    await house.cancel(agentId);
    return [{ ...seenCharge, runId: agentId }];
  },
);

row(
  '20 forms with an image',
  'all clients leave while the vision model works',
  'the input of each',
  async (house) => {
    const forms = Array.from({ length: 20 }, () => sending((signal) => house.form(image, { signal })));
    const calls = await Promise.all(forms.map(() => house.provider.next()));
    for (const { leave } of forms) leave();
    await Promise.all(calls.map(({ closed }) => closed));
    return forms.map(() => inputAlone);
  },
);

row(
  'form with an image',
  'the credits pay for the run alone (402)',
  'nothing',
  async (house) => {
    expect((await house.form(image)).status).toBe(402);
    expect(house.provider.asked).toEqual([]);
    return [];
  },
  { credits: '0.008' },
);

row('form with a document', 'the client leaves while it is read', 'nothing', async (house) => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  wrapFiles(house.parts.files, async ({ method }, call) => {
    if (method === 'getBytes') {
      asked.resolve();
      await held.promise;
    }
    return call();
  });
  const { answer, leave } = sending((signal) =>
    house.form(
      [
        ['question', 'Why?'],
        ['file', { name: 'a.txt', bytes: 'text' }],
      ],
      { signal },
    ),
  );
  await asked.promise;
  leave();
  await expect(answer).rejects.toThrow();
  held.resolve();
  return [];
});
