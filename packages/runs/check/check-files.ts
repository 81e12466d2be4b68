import { type Discrepancy, filePrefixes, limits } from '@errand/platform';
import type { RunStoreDeps } from '../deps.ts';
import { existingRuns } from '../store.ts';

/** A run may be created or deleted at the moment, which takes seconds. */
const settledMilliseconds = 15 * 60 * 1000;
/** A run may expire before an object that it wrote late. No run works for half of the least time for which runs can be read. */
const oldestMilliseconds = (limits.runReadableSeconds * 1000) / 2;
/** The most keys that one read takes. */
const runsAtOnce = 100;

interface Orphanable {
  agentId: string;
  key: string;
}

/**
 * Yields the objects of runs that are not in the table, though they should be. Uploads are left out: a run
 * may still be made from one. Only reads.
 */
export async function* checkFiles(deps: RunStoreDeps): AsyncGenerator<Discrepancy> {
  for (const prefix of [filePrefixes.events, filePrefixes.saved])
    for await (const runs of batches(firstFiles(deps, prefix))) {
      const existing = await existingRuns(
        deps,
        runs.map(({ agentId }) => agentId),
      );
      for (const { agentId, key } of runs)
        if (!existing.has(agentId))
          yield { of: 'file', id: key, problem: `The file belongs to the run ${agentId}, which is gone.` };
    }
}

/** One object of each run under the prefix. The keys are in order, so those of a run come one after the other. */
async function* firstFiles(deps: RunStoreDeps, prefix: string): AsyncGenerator<Orphanable> {
  const now = deps.clock();
  let last: string | undefined;
  for await (const page of deps.files.list(prefix))
    for (const { key, modifiedAtMilliseconds } of page) {
      const agentId = key.slice(prefix.length).split('/', 1)[0]!;
      const age = now - modifiedAtMilliseconds;
      const isDue = age > settledMilliseconds && age < oldestMilliseconds;
      if (agentId === last || !isDue) continue;
      last = agentId;
      yield { agentId, key };
    }
}

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < runsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
