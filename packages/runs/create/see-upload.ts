import {
  type AccountsDeps,
  type Charge,
  type CostBound,
  coverPrice,
  type Payer,
  type Reservation,
  releaseReservation,
  settleCharge,
  settleLater,
  splitReservation,
} from '@errand/accounts';
import { boundImage, type Cost, paidCalls, type Spending, seeImage, type VisionDeps } from '@errand/agent';
import { priceAt } from '@errand/models';
import { DomainError, newId, type Principal, toIso } from '@errand/platform';

export interface SeeDeps {
  accounts: AccountsDeps;
  vision: Omit<VisionDeps, 'calls'>;
  deferCharge(charge: Charge): Promise<void>;
}

export interface Asker {
  principal: Principal;
  payer: Payer;
  requestId: string;
  /** What is set aside for the file and for the run's first completion. */
  reservation: Reservation | undefined;
  /** What the run may cost at most. */
  maxNanoEuro?: number;
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

/** What asking about an image may cost at most. Undefined without a vision model: asking says so. */
export function boundSeen({ vision }: Pick<SeeDeps, 'vision'>, question: string): CostBound | undefined {
  const { visionModel: model, upstream } = vision;
  return model && boundImage(model, priceAt(model, upstream.clock()), question);
}

/**
 * Asks the vision model about an image before its run is accepted. `reservation` has what that may cost at most: the cost takes
 * its part of it along. A call that the client breaks off is charged what is known of it; one that fails costs nothing. Throws
 * `ToolError`, whose words callers may see, and the signal's reason.
 */
export async function seeUpload(
  deps: SeeDeps,
  asker: Asker,
  image: { dataUrl: string; question: string; costId: string },
  signal: AbortSignal,
): Promise<SeenImage> {
  const calls = paidCalls(setAsideBefore);
  const bound = boundSeen(deps, image.question);
  try {
    const { text, costs = [] } = await seeImage({ ...visionOf(deps, asker), calls }, image, signal);
    const [cost] = await calls.toCosts(place, 'seen', costs);
    if (!cost) throw new Error('a vision call without a cost');
    const { reservation: all } = asker;
    const reservation =
      all && bound && bound.mostNanoEuro > 0
        ? await splitReservation(deps.accounts, all, bound.mostNanoEuro)
        : undefined;
    const { keyId } = asker.principal;
    const about = { keyId, ...(asker.maxNanoEuro !== undefined && { mostNanoEuro: asker.maxNanoEuro }) };
    const covered = await coverPrice(deps.accounts, reservation, cost.amountNanoEuro, about);
    return { text, cost: { ...cost, ...covered, id: image.costId, ...(reservation && { reservation }) } };
  } catch (error) {
    const costs = hasLeft(asker) ? await calls.brokenOff(place) : [];
    for (const cost of costs) chargeWithoutRun(deps, asker, { ...cost, brokenOff: true });
    throw error;
  }
}

/** The lines of the log name the request. */
function visionOf({ vision }: SeeDeps, { requestId, principal: { accountId } }: Asker): SeeDeps['vision'] {
  const log = vision.upstream.log.with({ requestId, accountId });
  return { ...vision, upstream: { ...vision.upstream, log } };
}

/** For calls whose most was set aside together with what follows them. */
const setAsideBefore: Spending = {
  reserve: async ({ mostNanoEuro }) => ({
    nanoEuro: mostNanoEuro,
    spend: async (priceNanoEuro) => ({ amountNanoEuro: priceNanoEuro }),
    release: async () => {},
  }),
  end: async () => {},
};

/** Charges in the background a call whose run was not created. */
function chargeWithoutRun(deps: SeeDeps, { principal, payer, requestId }: Asker, cost: Cost): void {
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
