import {
  type AccountsDeps,
  type Charge,
  type Payer,
  releaseReservation,
  settleCharge,
  settleLater,
} from '@errand/accounts';
import { type Cost, paidCalls, seeImage, type VisionDeps } from '@errand/agent';
import { DomainError, newId, type Principal, toIso } from '@errand/platform';
import { runSpending } from '../worker/spending.ts';

export interface SeeDeps {
  accounts: AccountsDeps;
  vision: VisionDeps;
  deferCharge(charge: Charge): Promise<void>;
}

export interface Asker {
  principal: Principal;
  payer: Payer;
  requestId: string;
  /** The most that the run may cost. */
  capNanoEuro: number | undefined;
  /** Aborts when the client goes away, and with `stopping` when the process ends. */
  signal: AbortSignal;
}

/** Whether the client has gone. */
export const hasLeft = ({ signal }: Pick<Asker, 'signal'>): boolean =>
  signal.aborted && !(signal.reason instanceof DomainError);

export interface SeenImage {
  text: string;
  /** What the run's first step charges, with what is set aside for it. */
  cost: Cost;
}

/** The step that shows the image. */
const place = { step: 1, completions: 0 };

/**
 * Asks the vision model about an image before its run is accepted. A call that the client breaks off is charged what is
 * known of it; one that fails costs nothing. Throws `ToolError`, whose words callers may see, `no_credits` if the credits
 * do not pay for the call, and the signal's reason.
 */
export async function seeUpload(
  deps: SeeDeps,
  asker: Asker,
  image: { dataUrl: string; question: string; costId: string },
  signal: AbortSignal,
): Promise<SeenImage> {
  const { principal, payer, capNanoEuro } = asker;
  const spending = runSpending(deps.accounts, {
    keyId: principal.keyId,
    payer,
    amountNanoEuro: 0,
    ...(capNanoEuro !== undefined && { maxNanoEuro: capNanoEuro }),
  });
  const calls = paidCalls({
    ...spending,
    async reserve(bound, kind) {
      const setAside = await spending.reserve(bound, kind);
      if (!setAside) throw new DomainError('no_credits');
      return setAside;
    },
  });
  try {
    const { text, costs = [] } = await seeImage({ ...deps.vision, calls }, image, signal);
    const [cost] = await calls.toCosts(place, 'seen', costs);
    if (!cost) throw new Error('a vision call without a cost');
    return { text, cost: { ...cost, id: image.costId } };
  } catch (error) {
    const costs = hasLeft(asker) ? await calls.brokenOff(place) : [];
    for (const cost of costs) chargeWithoutRun(deps, asker, { ...cost, brokenOff: true });
    if (costs.length === 0) await calls.end();
    throw error;
  }
}

/** Charges in the background a call whose run was not created. */
export function chargeWithoutRun(deps: SeeDeps, { principal, payer, requestId }: Asker, cost: Cost): void {
  const at = toIso(deps.accounts.clock());
  const { keyId, accountId } = principal;
  settleLater(deps.accounts, accountId, () =>
    settleCharge(
      { ...deps.accounts, deferCharge: deps.deferCharge },
      { ...cost, id: newId('vision'), at, payer, requestId, keyId },
    ),
  );
}

/** Ends what was set aside for an image whose run was not created: the call is charged if that is the caller's doing. */
export async function endSeen(
  deps: SeeDeps,
  asker: Asker,
  cost: Cost | undefined,
  isTheCallers: boolean,
): Promise<void> {
  if (!cost) return;
  if (isTheCallers) chargeWithoutRun(deps, asker, cost);
  else await releaseReservation(deps.accounts, cost.reservation);
}
