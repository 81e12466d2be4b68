import { limits } from '@errand/platform';
import type { Settings } from './settings.ts';

type Reserving = Pick<Settings, 'reservedConcurrency' | 'runsAtOnce' | 'containers'>;

/** AWS keeps this much of an account's concurrency for functions that reserve none. */
export const unreserved = 100;

/** AWS's own least for the consumers of a queue. */
const leastConsumers = 2;

/** An account whose receivers hang holds a third of them at most: each of its attempts may be in an invocation of its own. */
const mostSenders = 3 * limits.webhookAttemptsPerAccount;

const sumOf = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** What the account must have for what functions reserve, other stages apart. */
export function quotaFor(reserved: Reserving['reservedConcurrency'] = {}): number {
  const sum = sumOf(Object.values(reserved));
  return sum > 0 ? sum + unreserved : 0;
}

/** The mistakes in the stage's reserved concurrency, also for the account's quota if that is known. */
export function concurrencyProblems(
  { reservedConcurrency = {}, runsAtOnce = 0 }: Partial<Reserving>,
  quota?: number,
): string[] {
  const problems: string[] = [];
  const { worker } = reservedConcurrency;
  // The queue would hand over more messages than the function takes, and count the refused ones as received.
  const { invocations } = invocationsFor(runsAtOnce);
  if (worker && worker < invocations)
    problems.push(
      `reservedConcurrency.worker must be at least ${invocations}, the invocations of runsAtOnce ${runsAtOnce}`,
    );
  for (const name of ['worker', 'webhooks', 'dead-letters'] as const)
    if (reservedConcurrency[name] === 1)
      problems.push(
        `reservedConcurrency.${name} must be 0 or at least ${leastConsumers}, as its queue calls it`,
      );
  const needed = quotaFor(reservedConcurrency);
  if (quota !== undefined && needed > quota)
    problems.push(
      `reservedConcurrency needs a quota of ${needed} concurrent executions, ${unreserved} of them unreserved, and the account has ${quota}`,
    );
  return problems;
}

interface Invocations {
  /** How many of them work at the same time at most. */
  invocations: number;
  /** How many runs each has at most. */
  runs: number;
}

/** The stage's runs in as few invocations as possible, because each invocation is paid for alone. */
export function invocationsFor(runsAtOnce: number): Invocations {
  const invocations = Math.max(leastConsumers, Math.ceil(runsAtOnce / limits.runsPerInvocation));
  return { invocations, runs: Math.max(1, Math.floor(runsAtOnce / invocations)) };
}

/** AWS's most without a window. */
const largestBatch = 10;

/** What an invocation begins with at most: two thirds of its places, so that one account leaves some free. */
export const batchFor = (runs: number): number => Math.min(Math.ceil((2 * runs) / 3), largestBatch);

export interface FittedConcurrency {
  runs: Invocations;
  sendersAtOnce: number;
  /** What was lowered and why, and what the account must have; undefined if there is nothing to say. */
  words: string | undefined;
}

/**
 * What the queues' consumers get. They would take all of a small account's concurrency, and requests would be refused: so
 * runs get half of what is free at most, and senders of webhooks a quarter, unless they have some reserved.
 */
export function fitConcurrency(
  { reservedConcurrency = {}, runsAtOnce, containers }: Reserving,
  free?: number,
): FittedConcurrency {
  const share = (part: number) => Math.max(leastConsumers, Math.floor((free ?? Infinity) * part));
  const wanted = invocationsFor(runsAtOnce);
  const isBounded = reservedConcurrency.worker === undefined && !containers?.workers;
  const most = isBounded ? share(1 / 2) : Infinity;
  const runs = { ...wanted, invocations: Math.min(wanted.invocations, most) };
  const senders = reservedConcurrency.webhooks ?? share(1 / 4);
  const words = [
    ...(runs.invocations < wanted.invocations
      ? [
          `runsAtOnce is ${runs.invocations * runs.runs} in place of ${runsAtOnce}: ${free} of the account's concurrency are free, and requests need half of them.`,
        ]
      : []),
    ...reservedWords(reservedConcurrency),
  ];
  return {
    runs,
    sendersAtOnce: Math.max(leastConsumers, Math.min(mostSenders, senders)),
    words: words.length > 0 ? words.join(' ') : undefined,
  };
}

/** What the account must have for the stage's reserved concurrency. */
function reservedWords(reserved: NonNullable<Reserving['reservedConcurrency']>): string[] {
  const entries = Object.entries(reserved);
  if (entries.length === 0) return [];
  const sum = sumOf(Object.values(reserved));
  const each = entries.map(([name, count]) => `${name} ${count}`).join(', ');
  return [
    `${sum} reserved (${each}). AWS keeps ${unreserved} unreserved, so the account's quota of concurrent executions must be at least ${sum + unreserved}, besides what other stages reserve.`,
  ];
}
