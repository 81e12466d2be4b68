import { expect } from 'vitest';
import { useStage, withHouse } from '../billing/support/row.ts';

useStage();

const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const fields = Array.from({ length: 200 }, (_, i) => [`f${i}`, { type: 'string' }]);
const manyOptional = {
  type: 'object',
  properties: { n: { type: 'integer' }, ...Object.fromEntries(fields) },
};
const functions = Array.from({ length: 64 }, (_, i) => ({ name: `f${i}` }));

for (const [kind, asked] of [
  ['in prose', {}],
  ['with a schema', { outputSchema }],
  ['with functions', { functions }],
  ['of high effort', { effort: 'high' }],
  ['with functions and a schema of fields that may be left out', { functions, outputSchema: manyOptional }],
] as const)
  withHouse(`a run ${kind} that is let in with the least credits asks its model`, async (house) => {
    house.provider.script((call) =>
      call.complete('{"value":{"n":1},"sources":[]}', { input: 900, output: 9 }),
    );
    await house.startWorker();
    for (let microEuro = 1_500; ; microEuro += 200) {
      expect(microEuro).toBeLessThan(40_000);
      const { key } = await house.newCaller({ credits: String(microEuro / 1e6) });
      const answer = await house.post('/v1/agents/runs', { question: 'Why?', ...asked }, { key });
      if (answer.status === 402) continue;
      const { agentId } = (await answer.json()) as { agentId: string };
      await house.follow(agentId, key);
      expect((await house.read(agentId, key)).usage.completions).toBeGreaterThan(0);
      return;
    }
  });
