import { createAccount, freezeAccount, listAccounts, thawAccount } from '@errand/accounts';
import { formatEuro } from '@errand/money';
import { endWaitingRuns } from '@errand/runs';
import { defineCommand } from '../command.ts';
import { noAccount, noOrganisation, orRefuse } from '../refusal.ts';
import { readEuro, readName } from '../values.ts';
import { runsOf } from './run.ts';

const create = defineCommand({
  name: 'account create',
  options: ['--name <N>', '[--credits <5.00>]', '[--organisation <ORG>]'],
  async run(store, { name, credits, organisation }) {
    const input = {
      name: readName('name', name),
      creditsNanoEuro: credits === undefined ? 0 : readEuro('credits', credits),
      ...(organisation !== undefined && { organisationId: readName('organisation', organisation) }),
    };
    const created = await orRefuse(createAccount(store, input), noOrganisation(organisation ?? ''));
    const { accountId } = created;
    const balance = formatEuro(created.balanceNanoEuro);
    return { json: { accountId, balance }, lines: [`Account ${accountId}, balance ${balance} EUR`] };
  },
});

const freeze = defineCommand({
  name: 'account freeze',
  argument: 'A',
  async run(store, _values, account) {
    const { frozenAt, keyIds } = await orRefuse(freezeAccount(store, account), noAccount(account));
    const runs = runsOf(store);
    let runsEnded = 0;
    for (const keyId of keyIds) runsEnded += await endWaitingRuns(runs, keyId, 'frozen');
    return {
      json: { accountId: account, frozen: true, frozenAt, keys: keyIds.length, runsEnded },
      lines: [
        `Account ${account}, frozen ${frozenAt}: ${keyIds.length} keys`,
        `Runs that waited and are ended: ${runsEnded}`,
      ],
    };
  },
});

const thaw = defineCommand({
  name: 'account thaw',
  argument: 'A',
  async run(store, _values, account) {
    const { keyIds } = await orRefuse(thawAccount(store, account), noAccount(account));
    return {
      json: { accountId: account, frozen: false, keys: keyIds.length },
      lines: [`Account ${account}, not frozen: ${keyIds.length} keys`],
    };
  },
});

const list = defineCommand({
  name: 'account list',
  async run(store) {
    const accounts = (await listAccounts(store)).map(({ balanceNanoEuro, frozenAt, ...account }) => ({
      ...account,
      balance: formatEuro(balanceNanoEuro),
      frozen: frozenAt !== undefined,
    }));
    return {
      json: { accounts },
      lines: accounts.map(({ accountId, name, organisationId, balance, frozen, createdAt }) =>
        [
          accountId,
          `created ${createdAt}`,
          `balance ${balance} EUR`,
          frozen && 'frozen',
          organisationId && `of ${organisationId}`,
          name,
        ]
          .filter(Boolean)
          .join('  '),
      ),
    };
  },
});

export const accountCommands = [create, list, freeze, thaw];
