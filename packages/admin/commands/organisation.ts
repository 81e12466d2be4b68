import {
  createOrganisation,
  listOrganisations,
  type Organisation,
  updateOrganisation,
} from '@errand/accounts';
import { formatEuro } from '@errand/money';
import { defineCommand } from '../command.ts';
import { noOrganisation, orRefuse, UsageError } from '../refusal.ts';
import { readFlag, readName, readSpending } from '../values.ts';

const create = defineCommand({
  name: 'organisation create',
  options: ['--name <N>', '[--subscription]'],
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
  argument: 'ORG',
  options: ['[--subscription <true|false>]', '[--ceiling <100.00|none>]'],
  check({ subscription, ceiling }) {
    if (subscription === undefined && ceiling === undefined)
      throw new UsageError('--subscription or --ceiling is missing');
  },
  async run(store, { subscription, ceiling }, organisationId) {
    const changes = {
      organisationId,
      ...(subscription !== undefined && { subscription: readFlag('subscription', subscription) }),
      ...(ceiling !== undefined && { ceilingNanoEuro: readCeiling(ceiling) }),
    };
    const updated = await orRefuse(updateOrganisation(store, changes), noOrganisation(organisationId));
    const { name: _name, createdAt: _createdAt, ...json } = describeOrganisation(updated);
    return { json, lines: [`Organisation ${[organisationId, ...stateWords(updated)].join(', ')}`] };
  },
});

const list = defineCommand({
  name: 'organisation list',
  async run(store) {
    const organisations = await listOrganisations(store);
    return {
      json: { organisations: organisations.map(describeOrganisation) },
      lines: organisations.map((organisation) =>
        [
          organisation.organisationId,
          `created ${organisation.createdAt}`,
          ...stateWords(organisation),
          organisation.name,
        ].join('  '),
      ),
    };
  },
});

const readCeiling = (text: string): number | null =>
  text === '' || text === 'none' ? null : readSpending('ceiling', text);

const describeOrganisation = (organisation: Organisation) => {
  const { organisationId, name, subscription, ceilingNanoEuro, createdAt } = organisation;
  return {
    organisationId,
    name,
    subscription,
    ...(ceilingNanoEuro !== undefined && { ceiling: formatEuro(ceilingNanoEuro) }),
    createdAt,
  };
};

const stateWords = ({ subscription, ceilingNanoEuro }: Organisation): string[] => [
  subscription ? 'with subscription' : 'without subscription',
  ...(ceilingNanoEuro === undefined ? [] : [`ceiling ${formatEuro(ceilingNanoEuro)} EUR per month`]),
];

export const organisationCommands = [create, update, list];
