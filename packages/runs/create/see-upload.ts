import { boundImage, paidCalls, seeImage } from '@errand/agent';
import { priceAt } from '@errand/models';
import {
  type Cost,
  type CostBound,
  chargeOf,
  type Payer,
  partAside,
  type Reservation,
  releaseReservation,
  settleCharge,
  settleLater,
} from '@errand/money';
import { DomainError, newId, type Principal, toIso } from '@errand/platform';
import type { CreateRunDeps } from '../deps.ts';

export type SeeDeps = Pick<CreateRunDeps, 'accounts' | 'attachments'>;

export interface Asker {
  principal: Principal;
  payer: Payer;
  requestId: string;
  /** What the run may cost at most. */
  maxNanoEuro?: number;
  /** Aborts when the client goes away, and with `stopping` when the process ends. */
  signal: AbortSignal;
}

/** Whether the client has gone. */
export const hasLeft = ({ signal }: Pick<Asker, 'signal'>): boolean =>
  signal.aborted && !(signal.reason instanceof DomainError);

interface SeenImage {
  text: string;
  /** What the run's first step charges, with what is set aside for it. */
  cost: Cost;
}

/** The step that shows the image. */
const place = { step: 1, completions: 0 };

/** What asking about an image may cost at most. Undefined without a vision model: asking says so. */
export function boundSeen({ attachments }: SeeDeps, question: string): CostBound | undefined {
  const { visionModel: model, upstream } = attachments.vision;
  return model && boundImage(model, priceAt(model, upstream.clock()), question);
}

/**
 * Asks the vision model about an image before its run is accepted. `reservation` covers what the call may cost at
 * most; the cost carries its part of the reservation. A call that the client breaks off is charged what is known of
 * it; a call that fails costs nothing. Throws `ToolError`, whose words callers may see, and the signal's reason.
 */
export async function seeUpload(
  deps: SeeDeps,
  asker: Asker,
  image: { dataUrl: string; question: string; costId: string; reservation: Reservation | undefined },
  signal: AbortSignal,
): Promise<SeenImage> {
  const { maxNanoEuro } = asker;
  const { keyId } = asker.principal;
  const calls = paidCalls({
    reserve: async (bound) =>
      partAside(deps.accounts, image.reservation, bound.mostNanoEuro, { keyId, mostNanoEuro: maxNanoEuro }),
    end: async () => {},
  });
  try {
    const { text, costs = [] } = await seeImage({ ...visionOf(deps, asker), calls }, image, signal);
    const [cost] = await calls.toCosts(place, 'seen', costs);
    if (!cost) throw new Error('a vision call without a cost');
    return { text, cost: { ...cost, id: image.costId } };
  } catch (error) {
    const costs = hasLeft(asker) ? await calls.brokenOff(place) : [];
    for (const { id: _, ...cost } of costs) chargeWithoutRun(deps, asker, { ...cost, brokenOff: true });
    throw error;
  }
}

/** The lines of the log name the request. */
function visionOf({ attachments: { vision } }: SeeDeps, { requestId, principal: { accountId } }: Asker) {
  const log = vision.upstream.log.with({ requestId, accountId });
  return { ...vision, upstream: { ...vision.upstream, log } };
}

/** Charges in the background a call whose run was not created. */
function chargeWithoutRun(
  { accounts, attachments: { deferCharge } }: SeeDeps,
  { principal: { keyId, accountId }, payer, requestId }: Asker,
  cost: Omit<Cost, 'id'>,
): void {
  const charge = chargeOf(
    { ...cost, id: newId('vision') },
    { payer, requestId, keyId },
    toIso(accounts.clock()),
  );
  settleLater(accounts, accountId, () => settleCharge({ ...accounts, deferCharge }, charge));
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
