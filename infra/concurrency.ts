import { functionShapes } from './functions.ts';
import type { FunctionName } from './permissions.ts';
import type { Settings } from './settings.ts';

type Reserving = Pick<Settings, 'reservedConcurrency' | 'runsAtOnce'>;

/** AWS keeps this much of an account's concurrency for functions that reserve none. */
export const unreserved = 100;

const entriesOf = ({ reservedConcurrency = {} }: Pick<Reserving, 'reservedConcurrency'>) =>
  Object.entries(reservedConcurrency) as [FunctionName, number][];

/** What the account must have for the stage's reserved concurrency; undefined if it reserves none. */
export function concurrencyNeeded(settings: Pick<Reserving, 'reservedConcurrency'>): string | undefined {
  const entries = entriesOf(settings);
  if (entries.length === 0) return undefined;
  const sum = entries.reduce((total, [, count]) => total + count, 0);
  const each = entries.map(([name, count]) => `${name} ${count}`).join(', ');
  return `${sum} reserved (${each}). AWS keeps ${unreserved} unreserved, so the account's quota of concurrent executions must be at least ${sum + unreserved}, besides what other stages reserve.`;
}

/** The mistakes in the stage's reserved concurrency. */
export function concurrencyProblems(settings: Reserving): string[] {
  const problems = entriesOf(settings).flatMap(([name, count]) => {
    if (!Object.hasOwn(functionShapes, name)) return [`reservedConcurrency: there is no function ${name}`];
    if (Number.isInteger(count) && count >= 0) return [];
    return [`reservedConcurrency.${name} must be a whole number`];
  });
  const worker = settings.reservedConcurrency?.worker;
  // The queue would hand over more messages than the function takes, and count the refused ones as received.
  if (worker && worker < settings.runsAtOnce)
    problems.push(`reservedConcurrency.worker must be at least runsAtOnce, ${settings.runsAtOnce}`);
  return problems;
}
