import { usualOutput } from '../bound-request.ts';
import type { PaidCall } from '../paid-call.ts';
import type { WrittenText } from '../written-text.ts';

/** Holds what a stream writes to what is set aside for it. */
export interface Meter {
  /** Whether so much was written that it has to be counted before more is passed on. */
  isDue(written: WrittenText): boolean;
  /** Counts, and sets more aside if that is needed. False if the credits are spent: the stream must end. */
  extend(written: WrittenText): Promise<boolean>;
}

/** How many more tokens to set aside: as many as at first, or else a few. */
const steps = (usual: number): number[] => [usual, 256, 16];

export function createMeter({ request, credits, kept }: PaidCall): Meter {
  const { reservation } = credits;
  const { bound } = request;
  let paidTokens = reservation ? bound.mostOutputTokens(reservation.nanoEuro) : Number.POSITIVE_INFINITY;
  return {
    isDue: (written) => written.mostTokens() > paidTokens,
    async extend(written) {
      const tokens = await written.countTokens();
      if (tokens <= paidTokens || !reservation) return true;
      for (const step of steps(usualOutput(request.model))) {
        const more = bound.costOf(Math.max(tokens, paidTokens) + step) - reservation.nanoEuro;
        if (more > 0 && !(await kept.extend(more))) continue;
        paidTokens = bound.mostOutputTokens(reservation.nanoEuro);
        return true;
      }
      return false;
    },
  };
}
