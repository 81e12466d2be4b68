import { createAccount, formatEuro } from '@errand/accounts';
import { defineCommand } from '../command.ts';
import { noOrganisation, orRefuse } from '../refusal.ts';
import { readEuro, readName } from '../values.ts';

const create = defineCommand({
  name: 'account create',
  usage: '--name N [--credits 5.00] [--organisation ORG]',
  options: {
    name: { type: 'string', required: true },
    credits: { type: 'string' },
    organisation: { type: 'string' },
  },
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

export const accountCommands = [create];
