import {
  addCredits,
  describeEntryToOperator,
  type EntryView,
  formatEuro,
  showCredits,
} from '@errand/accounts';
import { defineCommand } from '../command.ts';
import { noAccount, noOrganisation, orRefuse } from '../refusal.ts';
import { ownerOf, readEuro } from '../values.ts';

const add = defineCommand({
  name: 'credits add',
  usage: '--account A --amount 5.00',
  options: { account: { type: 'string', required: true }, amount: { type: 'string', required: true } },
  async run(store, { account, amount }) {
    const input = { accountId: account, amountNanoEuro: readEuro('amount', amount) };
    const { accountId, balanceNanoEuro } = await orRefuse(addCredits(store, input), noAccount(account));
    const balance = formatEuro(balanceNanoEuro);
    return { json: { accountId, balance }, lines: [`Account ${accountId}, balance ${balance} EUR`] };
  },
});

const show = defineCommand({
  name: 'credits show',
  usage: '--account A | --organisation ORG',
  options: { account: { type: 'string' }, organisation: { type: 'string' } },
  check(values) {
    ownerOf(values);
  },
  async run(store, values) {
    const { account, organisation } = values;
    const credits = await orRefuse(
      showCredits(store, ownerOf(values)),
      organisation === undefined ? noAccount(account ?? '') : noOrganisation(organisation),
    );
    const balance = formatEuro(credits.balanceNanoEuro);
    const entries = credits.entries.map(describeEntryToOperator);
    return { json: { balance, entries }, lines: [`Balance ${balance} EUR`, ...entries.map(toLine)] };
  },
});

const toLine = ({ at, amount, kind, model, runId }: EntryView) =>
  [at, amount, kind, model, runId && `run ${runId}`].filter(Boolean).join('  ');

export const creditsCommands = [add, show];
