import { itemKeys } from '@errand/money';
import type { Item } from '@errand/platform';
import type { Rule } from './copy-items.ts';

/**
 * Which entries of ledgers there are afterwards: those of both tables, or those that were there at the restored moment.
 * Balances are what the ledger says in both cases.
 */
export type Ledgers = 'both' | 'restored';

/** Attributes that operators set. Their last word counts, also where they have taken one away. */
const newest = ['frozenAt', 'limits', 'subscription', 'ceilingNanoEuro'];

/** The item of the restored moment, with what operators have said since. Whatever is revoked on either side stays so. */
function withLastWord(current: Item, restored: Item | undefined): Item {
  if (!restored) return current;
  const said = newest.flatMap((name) => (name in current ? [[name, current[name]]] : []));
  const kept = Object.entries(restored).filter(([name]) => !newest.includes(name));
  const { revokedAt = current.revokedAt } = restored;
  return { ...Object.fromEntries([...kept, ...said]), ...(revokedAt !== undefined && { revokedAt }) };
}

type Which = 'last-word' | 'newest' | 'restored' | 'no';

const prefixOf = (pk: string): string => pk.slice(0, pk.indexOf('#'));

function kindOf({ pk, sk }: Item): string {
  const [partition, sort] = [prefixOf(String(pk)), String(sk)];
  return ['ACCOUNT', 'ORGANISATION'].includes(partition) ? (sort.split('#')[0] ?? '') : partition;
}

/** Which side wins, by kind. What of a kind the restored table lacks it is given, unless `no` is said. */
const which = (ledgers: Ledgers): Record<string, Which> => ({
  // An account or an organisation itself, and the three items of a key.
  ACCOUNT: 'last-word',
  ORGANISATION: 'last-word',
  KEY: 'last-word',
  KEYID: 'last-word',
  // Made of the ledger, when all entries are there.
  [itemKeys.balance('').sk]: 'no',
  // Made anew of the ledger, where a report needs it.
  USAGE: 'no',
  LEDGER: ledgers === 'both' ? 'restored' : 'no',
  // What is known of calls in work, and what they hold of a ceiling.
  DRAFT: ledgers === 'both' ? 'newest' : 'no',
  CEILING: ledgers === 'both' ? 'newest' : 'no',
  // Their owners may have changed the address, or the secret because others knew it.
  WEBHOOKS: 'newest',
  WEBHOOKSLOTS: 'newest',
});

/** From the table `Accounts` that has served until now into one that was restored. */
export function accountsRule(ledgers: Ledgers): Rule {
  const byKind = which(ledgers);
  return (current, restored) => {
    const wins = byKind[kindOf(current)] ?? 'restored';
    if (wins === 'no') return undefined;
    if (wins === 'newest') return current;
    if (wins === 'last-word') return withLastWord(current, restored);
    return restored ? undefined : current;
  };
}
