import { describeError, type Log } from '@errand/platform';
import { usualOutput } from '../bound-request.ts';
import type { PaidCall } from '../paid-call.ts';
import { createWrittenText, type WrittenText } from '../written-text.ts';
import { parseChunk } from './chunk.ts';

/** Holds what a stream writes to what is set aside for it. */
export interface Meter {
  /** Whether this data could be more than is paid for after all that was written: then it has to be counted. */
  isDue(written: WrittenText, data: string): boolean;
  /** Counts, and sets more aside if that is needed. False if the credits are spent: the data must not be passed on. */
  extend(written: WrittenText, data: string): Promise<boolean>;
}

/** How many more tokens to set aside: as many as at first, or else a few. */
const steps = (usual: number): number[] => [usual, 256, 16];

/** What a stream may write unpaid while the store fails, before it tries again. */
const grace = 256;

export function createMeter({ log }: { log: Log }, { request, credits, kept }: PaidCall): Meter {
  const { reservation } = credits;
  const { bound } = request;
  let paidTokens = reservation ? bound.mostOutputTokens(reservation.nanoEuro) : Number.POSITIVE_INFINITY;
  return {
    isDue: (written, data) => written.mostTokens() + Buffer.byteLength(data) > paidTokens,
    async extend(written, data) {
      const [before, added] = await Promise.all([written.countTokens(), countData(data)]);
      const tokens = before + added;
      if (tokens <= paidTokens || !reservation) return true;
      for (const step of steps(usualOutput(request.model))) {
        const more = bound.costOf(Math.max(tokens, paidTokens) + step) - reservation.nanoEuro;
        try {
          if (more > 0 && !(await kept.extend(more))) continue;
        } catch (error) {
          log.warn('reservation not extended', { reservation: reservation.id, ...describeError(error) });
          paidTokens = tokens + grace;
          return true;
        }
        paidTokens = bound.mostOutputTokens(reservation.nanoEuro);
        return true;
      }
      return false;
    },
  };
}

/** The tokens of the text in an event's data. Data that cannot be read has none. */
async function countData(data: string): Promise<number> {
  const text = createWrittenText();
  try {
    text.add(parseChunk(data));
  } catch {
    return 0;
  }
  return text.countTokens();
}
