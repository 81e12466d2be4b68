import { requireOrganisation } from '@errand/accounts';
import {
  addCredits,
  describeEntryToOperator,
  type EntryView,
  formatEuro,
  readCredits,
  showCredits,
} from '@errand/money';
import { silentLog } from '@errand/platform';
import { defineCommand, type Store } from '../command.ts';
import { noAccount, noOrganisation, orRefuse } from '../refusal.ts';
import { ownerOf, readEuro } from '../values.ts';

const add = defineCommand({
  name: 'credits add',
  options: ['--account <A>', '--amount <5.00>'],
  async run(store, { account, amount }) {
    const input = { accountId: account, amountNanoEuro: readEuro('amount', amount) };
    const { accountId, balanceNanoEuro } = await orRefuse(addCredits(store, input), noAccount(account));
    const balance = formatEuro(balanceNanoEuro);
    return { json: { accountId, balance }, lines: [`Account ${accountId}, balance ${balance} EUR`] };
  },
});

const show = defineCommand({
  name: 'credits show',
  oneOf: ['[--account <A>]', '[--organisation <ORG>]'],
  check(values) {
    ownerOf(values);
  },
  async run(store, values) {
    const { account, organisation } = values;
    const { balanceNanoEuro, availableNanoEuro, entries } = await orRefuse(
      showPresent(store, ownerOf(values)),
      organisation === undefined ? noAccount(account ?? '') : noOrganisation(organisation),
    );
    const balance = formatEuro(balanceNanoEuro);
    const parts = availableNanoEuro !== undefined && {
      reserved: formatEuro(balanceNanoEuro - availableNanoEuro),
      available: formatEuro(availableNanoEuro),
    };
    const described = entries.map(describeEntryToOperator);
    const reserved = parts && parts.reserved !== '0' ? `, ${parts.reserved} EUR of it reserved` : '';
    return {
      json: { balance, ...parts, entries: described },
      lines: [`Balance ${balance} EUR${reserved}`, ...described.map(toLine)],
    };
  },
});

/** The credits after calls of dead processes were charged. */
async function showPresent(store: Store, owner: ReturnType<typeof ownerOf>) {
  const account =
    'accountId' in owner ? await readCredits({ ...store, log: silentLog }, owner.accountId) : undefined;
  if ('organisationId' in owner) await requireOrganisation(store, owner.organisationId);
  const shown = await showCredits(store, owner);
  return { ...shown, availableNanoEuro: account?.availableNanoEuro };
}

const toLine = ({ at, amount, kind, model, runId }: EntryView) =>
  [at, amount, kind, model, runId && `run ${runId}`].filter(Boolean).join('  ');

export const creditsCommands = [add, show];
