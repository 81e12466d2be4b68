import { claimRun, commitProgress } from '@errand/runs/testing';
import { runsDeps } from '@errand/service';
import type { Desk } from '../../faults/support/desk.ts';

export type End = Partial<Parameters<typeof commitProgress>[3]>;

/** Commits the end of a run as its worker would. */
export async function endRun({ parts }: Desk, agentId: string, end: End): Promise<void> {
  const deps = { ...runsDeps(parts), leaseMilliseconds: 60_000 };
  const claim = await claimRun(deps, agentId, { alone: true, isSuspect: false });
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  await commitProgress(deps, claim.run, claim, { events: [], costs: [], ...end });
}
