import { requireKey } from '@errand/accounts';
import { moneyRoutes } from '@errand/money';
import { describeRoutes, getItem, type HttpEnv, limits, soon, writesFail } from '@errand/platform';
import type { Hono } from 'hono';
import { accountsDeps, type ServiceDeps } from './deps.ts';

/** Resolves with the OpenAPI document as JSON. */
export type OpenApiText = () => Promise<string>;

const describe = describeRoutes(() => import('./site-descriptions.ts'));

/** Mounts the account's routes, `/healthz`, `/livez` and `/openapi.json`. */
export function mountSite(app: Hono<HttpEnv>, deps: ServiceDeps, openApi: OpenApiText): void {
  const isHealthy = createHealth(deps);
  const accounts = accountsDeps(deps);
  app.route('/', moneyRoutes(accounts, requireKey(accounts)));
  app.get('/healthz', describe('getHealth'), async (c) =>
    (await isHealthy()) && !writesFail(deps.aws)
      ? c.json({ status: 'ok' })
      : c.json({ status: 'unavailable' }, 503, soon),
  );
  app.get('/livez', describe('getLiveness'), (c) => c.json({ status: 'ok' }));
  app.get('/openapi.json', describe('getOpenApi'), async (c) =>
    c.body(await openApi(), 200, { 'Content-Type': 'application/json' }),
  );
}

type HealthDeps = Pick<ServiceDeps, 'aws' | 'tables' | 'clock'>;

/**
 * Tells whether the store answers one small read within two seconds. The store is read at most once a second, however
 * many callers ask.
 */
function createHealth(deps: HealthDeps): () => Promise<boolean> {
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
