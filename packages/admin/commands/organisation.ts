import { createOrganisation, updateOrganisation } from '@errand/accounts';
import { defineCommand } from '../command.ts';
import { noOrganisation, orRefuse } from '../refusal.ts';
import { readFlag, readName } from '../values.ts';

const create = defineCommand({
  name: 'organisation create',
  usage: '--name N [--subscription]',
  options: { name: { type: 'string', required: true }, subscription: { type: 'boolean' } },
  async run(store, values) {
    const { organisationId } = await createOrganisation(store, {
      name: readName('name', values.name),
      subscription: values.subscription ?? false,
    });
    return { json: { organisationId }, lines: [`Organisation ${organisationId}`] };
  },
});

const update = defineCommand({
  name: 'organisation update',
  usage: 'ORG --subscription true|false',
  options: { subscription: { type: 'string', required: true } },
  takesId: true,
  async run(store, values, organisationId) {
    const subscription = readFlag('subscription', values.subscription);
    const updated = await orRefuse(
      updateOrganisation(store, { organisationId, subscription }),
      noOrganisation(organisationId),
    );
    const state = subscription ? 'with' : 'without';
    return { json: updated, lines: [`Organisation ${organisationId}, ${state} subscription`] };
  },
});

export const organisationCommands = [create, update];
