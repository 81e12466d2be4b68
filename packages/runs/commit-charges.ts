import {
  type Charge,
  chargeWrites,
  holdsUnchanged,
  type Reservation,
  readReservation,
  withPresentHolds,
} from '@errand/accounts';
import type { Cost } from '@errand/agent';
import { ConditionsFailed, type NamedWrite, transact } from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import type { RunRecord } from './run.ts';

/** Writes a commit with its charges. A second attempt takes reservations as they are in the store by then. */
export async function transactCharges(
  deps: RunStoreDeps,
  writes: readonly NamedWrite[],
  charges: readonly Charge[],
  released: readonly Reservation[],
): Promise<void> {
  try {
    await transact(deps, [...writes, ...chargeWrites(deps, charges, released)]);
  } catch (error) {
    const isHoldGone =
      error instanceof ConditionsFailed && error.conditions.every((one) => one === holdsUnchanged);
    if (!isHoldGone) throw error;
    const [present, still] = await Promise.all([
      withPresentHolds(deps, charges),
      Promise.all(released.map((reservation) => readReservation(deps, reservation))),
    ]);
    await transact(deps, [...writes, ...chargeWrites(deps, present, still)]);
  }
}

export const toCharge = (run: RunRecord, cost: Cost, at: string): Charge => ({
  ...cost,
  id: `${run.agentId}:${cost.id}`,
  at,
  payer: run.payer,
  runId: run.agentId,
  keyId: run.keyId,
  ...(run.requestId !== undefined && { requestId: run.requestId }),
  ...(run.skill && { skill: run.skill }),
});
