import { releaseReservation } from '@errand/money';
import { newUuid } from '@errand/platform';
import { acceptRequest } from './accept-request.ts';
import type { AcceptedRun } from './accept-run.ts';
import { createWithFile } from './create-with-file.ts';
import type { CreateRunDeps, PreparedRun, Requester } from './prepare-run.ts';

/**
 * Answers a repeated request with its run. For any other, reads the file if there is one, and accepts a new run. If this
 * throws, no file, run or reservation is left.
 */
export async function createRun(
  deps: CreateRunDeps,
  requester: Requester,
  prepared: PreparedRun,
): Promise<AcceptedRun> {
  const { request, repeated } = prepared;
  if (repeated) {
    await request.upload?.drop();
    return repeated;
  }
  if (request.upload || request.body.uploadId !== undefined) return createWithFile(deps, requester, prepared);
  try {
    return await acceptRequest(deps, requester, prepared, { agentId: newUuid() });
  } catch (error) {
    await releaseReservation(deps, requester.credits.reservation);
    throw error;
  }
}
