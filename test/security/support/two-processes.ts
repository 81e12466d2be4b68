import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Provider, ScriptedCall } from '../../support/model-server.ts';
import { type RunEvent, type ServiceOptions, startTestService } from '../../support/service.ts';

const plan = { calls: [{ name: 'write_todos', args: { todos: [] } }] };

/**
 * The events of a run whose model makes the first turns' calls in one process, hands the run on while it plans, and
 * makes the second turns' calls in another process on the same data.
 */
export async function runInTwoProcesses(
  provider: Provider,
  options: ServiceOptions,
  [first, second]: [ScriptedCall[][], ScriptedCall[][]],
): Promise<RunEvent[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-two-processes-'));
  const planning = Promise.withResolvers<void>();
  const stopping = Promise.withResolvers<void>();
  provider.script(async (_, number) => {
    const calls = first[number - 1];
    if (calls) return { calls };
    planning.resolve();
    await stopping.promise;
    return plan;
  });
  const before = await startTestService({ ...options, dataDir });
  const agentId = await before.start({ question: 'What is new?' });
  await planning.promise;
  const stopped = before.stop();
  stopping.resolve();
  await stopped;
  provider.script((_, number) => {
    const calls = second[number - 1];
    return calls ? { calls } : { text: 'Done.' };
  });
  const after = await startTestService({ ...options, dataDir });
  const events = await after.follow(agentId);
  await after.stop();
  await rm(dataDir, { recursive: true, force: true });
  return events;
}
