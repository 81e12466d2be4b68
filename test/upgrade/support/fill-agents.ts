import { type Caller, until } from './caller.ts';
import { type Filling, finish, newKey } from './fill.ts';
import type { FinishedRun, HeldAgents } from './manifest.ts';
import { answerTo, labelOf, questions, type TestModels } from './models.ts';
import { standOf } from './strand.ts';

const name = 'harbourmaster';
const texts = ['Answer as a harbour master.', 'Answer as a harbour master, in one sentence.'];

/**
 * An account with a stored agent, whose runs have had sub-runs, or wait for one that will never hear of its model; and a schedule that is
 * due once, a minute later.
 */
export async function fillAgents({ admin, call }: Filling, models: TestModels): Promise<HeldAgents> {
  const account = ['account', 'create', '--name', 'agents', '--credits', '5'];
  const { accountId } = await admin<{ accountId: string }>(...account);
  const { key } = await newKey(admin, accountId, 'agents');
  const caller = call(key);
  models.provider.script((request) => (labelOf(request) === 'west' ? 'hang' : answerTo(request)));
  const [first, second] = texts;
  await caller.post('/v1/agents', { name, instructions: first, effort: 'high', maxCredits: '1' });
  await caller.patch(`/v1/agents/${name}`, { instructions: second });
  const investigated = await finish(
    caller,
    await caller.start({ question: questions.investigating, agent: `${name}@1` }),
  );
  return {
    accountId,
    key,
    agent: { name, instructions: { '1': texts[0]!, '2': texts[1]! } },
    investigated,
    subRuns: await finishedSubRuns(caller, investigated.run.agentId),
    divided: await strandDivided(caller),
    schedule: await schedule(caller),
  };
}

async function finishedSubRuns(caller: Caller, parentRunId: string): Promise<FinishedRun[]> {
  const subRuns = await caller.subRuns(parentRunId);
  return Promise.all(subRuns.map(({ agentId }) => finish(caller, agentId)));
}

/** Starts a run of whose two sub-runs one has ended. */
async function strandDivided(caller: Caller): Promise<HeldAgents['divided']> {
  const agentId = await caller.start({ question: questions.divided, agent: name });
  const statuses = async () => (await caller.subRuns(agentId)).map(({ status }) => status).toSorted();
  await until('one of two sub-runs has ended', async () => `${await statuses()}` === 'running,succeeded');
  return standOf(caller, agentId);
}

async function schedule(caller: Caller): Promise<HeldAgents['schedule']> {
  const asked = { question: questions.due, agent: name, effort: 'low', every: '1m' };
  const { id, nextAt } = await caller.post<{ id: string; nextAt: string }>('/v1/schedules', {
    ...asked,
    until: new Date(Date.now() + 90_000).toISOString(),
  });
  const { agentId } = await caller.post<{ agentId: string }>(`/v1/schedules/${id}/run`, {});
  const { run } = await finish(caller, agentId);
  return { id, asked, dueAt: nextAt, started: run.agentId };
}
