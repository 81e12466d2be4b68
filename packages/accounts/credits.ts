import { BatchGetCommand, type BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import { createCombiner, DomainError, delay, type Principal } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import type { Payer } from './ledger.ts';
import { perConnection } from './per-connection.ts';
import { whenSettled } from './settle-behind.ts';
import { itemKeys } from './store.ts';

export interface Credits {
  balanceNanoEuro: number;
  payer: Payer;
}

const maxAttempts = 6;
const baseWaitMilliseconds = 25;

type Item = Record<string, unknown>;

interface CreditsDeps extends StoreDeps {
  /** Replaced in tests that hold the time. */
  wait?: (milliseconds: number) => Promise<void>;
}

interface Reading {
  deps: CreditsDeps;
  principal: Principal;
}

const largestGroup = 1_000;
const readerOf = perConnection(() => createCombiner(readForAll, largestGroup));

/**
 * The balance, and who pays: the organisation whose subscription covers the account, or the account itself.
 * `no_credits` if it is the account's turn and nothing is left. Requests of an account that come at once share a
 * read, which is never older than the call, nor than what this process answered.
 */
export const requireCredits = (deps: CreditsDeps, principal: Principal): Promise<Credits> =>
  readerOf(deps)(`${principal.accountId} ${principal.organisationId ?? ''}`, { deps, principal });

async function readForAll(group: readonly Reading[]): Promise<Credits[]> {
  const [{ deps, principal }] = group as [Reading];
  const credits = await readCredits(deps, principal);
  return group.map(() => credits);
}

async function readCredits(deps: CreditsDeps, principal: Principal): Promise<Credits> {
  const { accountId, organisationId } = principal;
  await whenSettled(deps, accountId);
  const balanceKey = itemKeys.balance(accountId);
  const keys = organisationId ? [balanceKey, itemKeys.organisation(organisationId)] : [balanceKey];
  const items = await readTogether(deps, keys);
  const balance = items.find((item) => item.pk === balanceKey.pk)?.balanceNanoEuro;
  const balanceNanoEuro = typeof balance === 'number' ? balance : 0;
  if (organisationId && items.some((item) => item.subscription === true))
    return { balanceNanoEuro, payer: { accountId, organisationId } };
  if (balanceNanoEuro <= 0) throw new DomainError('no_credits');
  return { balanceNanoEuro, payer: { accountId } };
}

/** One BatchGet. DynamoDB may leave keys unread when it is throttled; the SDK does not ask for those again. */
async function readTogether(deps: CreditsDeps, keys: { pk: string; sk: string }[]): Promise<Item[]> {
  const wait = deps.wait ?? delay;
  const table = deps.tables.accounts;
  const items: Item[] = [];
  let rest: BatchGetCommandOutput['UnprocessedKeys'] = { [table]: { Keys: keys, ConsistentRead: true } };
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const read: BatchGetCommandOutput = await deps.dynamodb.send(new BatchGetCommand({ RequestItems: rest }));
    items.push(...(read.Responses?.[table] ?? []));
    rest = read.UnprocessedKeys;
    if (!rest?.[table]?.Keys?.length) return items;
    await wait(baseWaitMilliseconds * 2 ** attempt);
  }
  throw new Error('DynamoDB left keys unread');
}
