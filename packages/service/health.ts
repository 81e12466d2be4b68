import { getItem, limits } from '@errand/platform';
import type { ServiceDeps } from './deps.ts';

type HealthDeps = Pick<ServiceDeps, 'aws' | 'tables' | 'clock'>;

/**
 * Tells whether the store answers one small read within two seconds. The store is read at most once a second, however
 * many callers ask.
 */
export function createHealth(deps: HealthDeps): () => Promise<boolean> {
  let last: { answer: Promise<boolean>; answeredAt?: number } | undefined;
  return () => {
    const now = deps.clock();
    const age = now - (last?.answeredAt ?? now);
    if (last && age >= 0 && age < limits.healthKeptMilliseconds) return last.answer;
    const asked: NonNullable<typeof last> = { answer: ask(deps) };
    last = asked;
    void asked.answer.then(() => {
      asked.answeredAt = deps.clock();
    });
    return asked.answer;
  };
}

/** The key of no item: the read costs the least that a read can. */
const nothing = { pk: 'HEALTH', sk: 'HEALTH' };

async function ask({ aws, tables }: HealthDeps): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), limits.healthReadMilliseconds);
  const read = getItem(aws, tables.accounts, nothing).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([read, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
