import { limits } from '@errand/platform';
import { expect } from 'vitest';
import type { HeldCall } from './support/held-provider.ts';
import type { House } from './support/house.ts';
import { type Entry, revoke, row, sending, useStage } from './support/row.ts';
import { holdTimeouts } from './support/timers.ts';

useStage();

const decide = (house: House, model = 'judge', signal?: AbortSignal) =>
  house.post(
    '/v1/systemone',
    { model, state: 'The parcel is late.', questions: { late: { type: 'noul' } } },
    signal && { signal },
  );

const answerLate = (call: HeldCall) =>
  call.json(200, { answers: { late: { type: 'noul', noul: 0.75 } }, usage: { input_tokens: 70 } });

const answered: Partial<Entry> = { kind: 'decision', inputTokens: 70, outputTokens: 0, amount: '-0.000007' };

row('decision', 'the client leaves while the model works', 'the whole answer', async (house) => {
  const { answer, leave } = sending((signal) => decide(house, 'judge', signal));
  const call = await house.provider.next();
  leave();
  await expect(answer).rejects.toThrow();
  answerLate(call);
  return [answered];
});

row(
  'decision by the tool `decide`',
  'the client leaves while the model works',
  'the whole answer',
  async (house) => {
    const { answer, leave } = sending((signal) =>
      house.post(
        '/mcp',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'decide',
            arguments: { state: 'The parcel is late.', questions: { late: { type: 'noul' } } },
          },
        },
        { signal, headers: { Accept: 'application/json, text/event-stream' } },
      ),
    );
    const call = await house.provider.next();
    leave();
    await expect(answer).rejects.toThrow();
    // Once a later request is answered, the service has seen that the client left.
    expect((await decide(house, 'nobody')).status).toBe(400);
    answerLate(call);
    return [answered];
  },
);

row('decision', 'it is not answered in time (504)', 'nothing', async (house) => {
  const end = holdTimeouts(limits.answerMilliseconds);
  const answer = decide(house);
  const call = await house.provider.next();
  end();
  expect((await answer).status).toBe(504);
  await call.closed;
  return [];
});

row('decision', 'the key is revoked while the model works', 'the whole answer', async (house) => {
  const answer = decide(house);
  const call = await house.provider.next();
  await revoke(house);
  answerLate(call);
  expect((await answer).status).toBe(200);
  return [answered];
});

row('decision', 'the provider fails, or resets the connection (503)', 'nothing', async (house) => {
  house.provider.script((call) => call.json(500, {}));
  expect((await decide(house)).status).toBe(503);
  house.provider.script((call) => call.reset());
  expect((await decide(house)).status).toBe(503);
  return [];
});

row('decision', 'the provider breaks off in the middle of its answer (503)', 'nothing', async (house) => {
  house.provider.script((call) => void call.half());
  expect((await decide(house)).status).toBe(503);
  return [];
});

row('decision', "the provider's answer cannot be read (500)", 'nothing', async (house) => {
  house.provider.script((call) => call.json(200, { answers: {} }));
  expect((await decide(house)).status).toBe(500);
  return [];
});

row('decision', 'a label reader has only counted tokens by then (504)', 'nothing', async (house) => {
  const end = holdTimeouts(limits.answerMilliseconds);
  const answer = decide(house, 'labels');
  const call = await house.provider.next();
  expect(call.path).toBe('/tokenize');
  end();
  expect((await answer).status).toBe(504);
  return [];
});

row('decision', 'the process stops while the model works (503)', 'nothing', async (house) => {
  const answer = decide(house);
  const call = await house.provider.next();
  await house.stopApi();
  expect((await answer).status).toBe(503);
  await call.closed;
  return [];
});

row('decision', 'the process stops while the answer is being charged', 'the whole answer', async (house) => {
  const held = house.holdStore('TransactWriteItemsCommand');
  const answer = decide(house);
  answerLate(await house.provider.next());
  expect((await answer).status).toBe(200);
  await held.asked;
  const stopping = house.stopApi();
  held.open();
  await stopping;
  return [answered];
});

row('decision', 'the process dies while the model works', 'nothing', async (house, { open }) => {
  let ahead = 0;
  const other = await open({ caller: house.caller, clock: () => Date.now() + ahead });
  void decide(house).catch(() => {});
  await house.provider.next();
  house.die();
  expect(await other.reserved()).not.toBe('0');
  ahead = (limits.reservationSeconds + 10) * 1000;
  expect(await other.reserved()).toBe('0');
  return [];
});

/** 40 questions: two passes, of 32 and 8. */
const decideInPasses = (house: House, model = 'judge') =>
  house.post('/v1/decisions', {
    model,
    input: 'The parcel is late.',
    questions: Array.from({ length: 40 }, (_, i) => ({ type: 'predicate', instructions: `Is it ${i}?` })),
  });

/** Answers a pass of so many questions. */
function answerPass(call: HeldCall, inputTokens: number) {
  const { questions } = call.body as { questions: object };
  const answers = Object.keys(questions).map((id) => [id, { type: 'noul', noul: 0.5 }]);
  call.json(200, { answers: Object.fromEntries(answers), usage: { input_tokens: inputTokens } });
}

row(
  'decision in several passes',
  'all passes are answered',
  'the whole answer, with the input of each pass',
  async (house) => {
    const answer = decideInPasses(house);
    for (const tokens of [500, 200]) answerPass(await house.provider.next(), tokens);
    expect((await answer).status).toBe(200);
    return [{ kind: 'decision', inputTokens: 700, amount: '-0.00007' }];
  },
);

row('decision in several passes', 'it is not answered in time (504)', 'nothing', async (house) => {
  const end = holdTimeouts(limits.answerMilliseconds);
  const answer = decideInPasses(house);
  const calls = [await house.provider.next(), await house.provider.next()];
  end();
  expect((await answer).status).toBe(504);
  for (const call of calls) await call.closed;
  return [];
});

row('decision in several passes', 'a question does not fit the context (422)', 'nothing', async (house) => {
  const answer = decideInPasses(house);
  const first = await house.provider.next();
  const second = await house.provider.next();
  second.json(422, { error: 'The context is too short.' });
  expect((await answer).status).toBe(422);
  await first.closed;
  return [];
});

row('decision in several passes', 'the provider fails at a later pass (503)', 'nothing', async (house) => {
  let asked = 0;
  house.provider.script((call) => (asked++ === 0 ? answerPass(call, 500) : call.json(500, {})));
  expect((await decideInPasses(house)).status).toBe(503);
  return [];
});

row('decision in several passes', 'the provider refuses a later pass (500)', 'nothing', async (house) => {
  const answer = decideInPasses(house);
  answerPass(await house.provider.next(), 500);
  const call = await house.provider.next();
  call.json(400, { error: { message: 'This is against our policy.' } });
  expect((await answer).status).toBe(500);
  return [];
});
