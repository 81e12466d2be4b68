import { type AccountsDeps, createAccount, createKey, createOrganisation } from '@errand/accounts';
import { parseEuro } from '@errand/money';
import {
  type Clock,
  createAwsClients,
  limits,
  localCredentials,
  localRegion,
  silentLog,
} from '@errand/platform';
import type { TestDynamo } from './dynamodb.ts';

/** A clock that stands still until the test moves it. */
export function heldClock(startIso = '2026-11-21T10:00:00.000Z'): HeldClock {
  let now = Date.parse(startIso);
  return Object.assign(() => now, { advance: (milliseconds: number) => (now += milliseconds) });
}

export type HeldClock = Clock & { advance(milliseconds: number): number };

export function testAccounts(
  dynamo: TestDynamo,
  options: { rateLimitRequests?: number } = {},
): AccountsDeps & { clock: HeldClock } {
  return {
    dynamodb: dynamo.dynamodb,
    tables: dynamo.tables,
    clock: heldClock(),
    log: silentLog,
    rateLimitRequests: options.rateLimitRequests ?? limits.requestsPerWindow,
  };
}

/** An account with credits and a key. With `subscription` it belongs to an organisation, which has a subscription if `true`. */
export async function newTestAccount(
  deps: AccountsDeps,
  options: { credits?: string; subscription?: boolean } = {},
): Promise<{ accountId: string; organisationId?: string; keyId: string; key: string }> {
  const { subscription } = options;
  const organisation =
    subscription === undefined ? {} : await createOrganisation(deps, { name: 'Org', subscription });
  const creditsNanoEuro = parseEuro(options.credits ?? '10') ?? 0;
  const { accountId } = await createAccount(deps, { name: 'Test', creditsNanoEuro, ...organisation });
  return { accountId, ...organisation, ...(await createKey(deps, { accountId, label: 'test' })) };
}

/** The same accounts as another process has them: with its own connection, and with nothing remembered. */
export function anotherProcess<T extends AccountsDeps>(dynamo: TestDynamo, deps: T): T & { close(): void } {
  const endpoints = { dynamodb: dynamo.endpoint };
  const { dynamodb } = createAwsClients({ region: localRegion, credentials: localCredentials, endpoints });
  return { ...deps, dynamodb, close: () => dynamodb.destroy() };
}
