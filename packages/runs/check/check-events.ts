import { isTerminalType } from '@errand/agent';
import { statusAfter } from '../commit.ts';
import type { RunStoreDeps } from '../deps.ts';
import { type EventHead, eventHeads } from '../event-log.ts';
import { isFinished } from '../lifecycle.ts';
import type { RunRecord } from '../run.ts';

/** Events that were committed since the run was read are not looked at. */
export async function checkEvents(deps: RunStoreDeps, run: RunRecord): Promise<string[]> {
  const problems: string[] = [];
  let last: EventHead | undefined;
  for await (const page of eventHeads(deps, run.agentId))
    for (const event of page) {
      if (event.id > run.lastEventId) break;
      const expected = (last?.id ?? 0) + 1;
      if (event.id !== expected) problems.push(`Event ${expected} is missing.`);
      if (last && isTerminalType(last.name)) problems.push(`Event ${event.id} follows the terminal event.`);
      if (event.stored !== undefined && (await deps.files.size(event.stored)) === undefined)
        problems.push(`The payload of event ${event.id} is missing in the bucket.`);
      last = event;
    }
  if ((last?.id ?? 0) !== run.lastEventId)
    problems.push(`The last event is ${last?.id ?? 0}, the run says ${run.lastEventId}.`);
  else problems.push(...checkEnd(run, last));
  return problems;
}

function checkEnd(run: RunRecord, last: EventHead | undefined): string[] {
  if (!last || !isTerminalType(last.name))
    return isFinished(run.status) ? [`The run is ${run.status} without a terminal event.`] : [];
  return run.status === statusAfter(last.name)
    ? []
    : [`The run is ${run.status}, its last event is ${last.name}.`];
}
