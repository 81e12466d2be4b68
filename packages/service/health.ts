import { getItem, limits } from '@errand/platform';
import type { ServiceDeps } from './deps.ts';

type HealthDeps = Pick<ServiceDeps, 'aws' | 'tables'>;

/**
 * Whether the store answers. It is asked with one small read, at most once a second however many ask, and has two
 * seconds to answer.
 */
export function createHealth(deps: HealthDeps): () => Promise<boolean> {
  let last: { answer: Promise<boolean>; validUntil: number } | undefined;
  return () => {
    if (last && performance.now() < last.validUntil) return last.answer;
    const asked = { answer: ask(deps), validUntil: Number.POSITIVE_INFINITY };
    last = asked;
    void asked.answer.then(() => {
      asked.validUntil = performance.now() + limits.healthKeptMilliseconds;
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
