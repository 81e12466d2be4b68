import type { Reservation } from '@errand/money';
import { describeError, type Log } from '@errand/platform';
import { asksFor, usualOutput } from '../bound-request.ts';
import type { ChatCall } from '../paid-call.ts';
import { createWrittenText, type WrittenText } from '../written-text.ts';
import { parseChunk } from './chunk.ts';

/** Holds what a stream writes to what is set aside for it. */
export interface Meter {
  /**
   * True if this data, added to everything written before, could cost more than is set aside: the data must then be
   * counted.
   */
  isDue(written: WrittenText, data: string): boolean;
  /**
   * Counts the data's tokens, and sets more aside if needed. False if the credits are spent: the data must not be
   * passed on.
   */
  extend(written: WrittenText, data: string): Promise<boolean>;
}

/** How many more tokens to set aside: as many as at first, or fewer if the account has less. */
const steps = (usual: number): number[] => [usual, 256, 16];

/** How much of what was written is set aside: a long stream asks the store a few times in all. */
const growth = 2;

/**
 * A model with an output limit seldom has longer tokens. Only the output of a model that writes past this is
 * counted.
 */
const toldBytesPerToken = 8;

/** What a stream may write unpaid while the store fails, before it tries again. */
const grace = 256;

export function createMeter(
  { log }: { log: Log },
  { request, credits, paid, outputTokens }: ChatCall,
): Meter {
  const { reservation } = credits;
  const { bound } = request;
  let paidTokens = reservation ? bound.mostOutputTokens(reservation.nanoEuro) : Number.POSITIVE_INFINITY;
  /** True if the account had too little for the bytes: each token is counted from then on. */
  let isShort = false;
  /**
   * Sets aside the price of this many tokens. False if the account has less. The output goes on for a while if the
   * store fails.
   */
  const payFor = async (tokens: number, reserved: Reservation): Promise<boolean> => {
    const more = bound.costOf(tokens) - reserved.nanoEuro;
    try {
      if (more > 0 && !(await paid.extend(more))) return false;
      paidTokens = bound.mostOutputTokens(reserved.nanoEuro);
    } catch (error) {
      log.warn('reservation not extended', { reservation: reserved.id, ...describeError(error) });
      paidTokens = tokens + grace;
    }
    return true;
  };
  const isTold = outputTokens !== undefined || asksFor(request.body) !== undefined;
  const bytesPerToken = isTold ? toldBytesPerToken : 1;
  return {
    isDue: (written, data) =>
      written.mostTokens(bytesPerToken) + Buffer.byteLength(data) / bytesPerToken > paidTokens,
    async extend(written, data) {
      if (!reservation) return true;
      const most = written.mostTokens() + Buffer.byteLength(data);
      // Counting tokens takes longer than a write, so only accounts that have too little for the bytes are counted.
      if (!isShort && (await payFor(growth * most, reservation))) return true;
      isShort = true;
      const [before, added] = await Promise.all([written.countTokens(), countData(data)]);
      const tokens = before + added;
      if (tokens <= paidTokens) return true;
      for (const step of steps(usualOutput(request.model)))
        if (await payFor(Math.max(tokens, paidTokens) + step, reservation)) return true;
      return false;
    },
  };
}

/** The tokens of the text in an event's data. Data that cannot be read has none. */
async function countData(data: string): Promise<number> {
  const text = createWrittenText();
  try {
    const event = parseChunk(data);
    if (!text.add(event)) text.add({ choices: [{ delta: { content: deltaOf(event) } }] });
  } catch {
    return 0;
  }
  return text.countTokens();
}

/** What an event of Responses or of Messages adds. */
function deltaOf(event: unknown): unknown {
  const { delta } = (event ?? {}) as { delta?: unknown };
  if (typeof delta !== 'object' || delta === null) return delta;
  const { text, thinking, content, partial_json } = delta as Record<string, unknown>;
  return [text, thinking, content, partial_json];
}
