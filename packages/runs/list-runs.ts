import { DomainError, type Principal } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import type { RunStatus } from './lifecycle.ts';
import { type RunView, viewRun } from './run.ts';
import { listRuns } from './store.ts';

const cursorPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z#[0-9a-f-]{36}$/;

/** A page of this key's runs, newest first; `cursor` is there while there may be more. `invalid_request` for a cursor that is not ours. */
export async function listOwnRuns(
  deps: RunsDeps,
  principal: Principal,
  query: { limit: number; cursor?: string; status?: RunStatus },
): Promise<{ runs: RunView[]; cursor?: string }> {
  const runs: RunView[] = [];
  let after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  do {
    const wanted = query.limit - runs.length;
    const page = await listRuns(deps, principal.keyId, {
      limit: wanted,
      ...(after !== undefined && { after }),
    });
    runs.push(...page.runs.filter((run) => !query.status || run.status === query.status).map(viewRun));
    after = page.last;
  } while (after !== undefined && runs.length < query.limit);
  return { runs, ...(after !== undefined && { cursor: Buffer.from(after).toString('base64url') }) };
}

function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (cursorPattern.test(text)) return text;
  throw new DomainError('invalid_request', { issues: [{ field: 'cursor', problem: 'is not one of ours' }] });
}
