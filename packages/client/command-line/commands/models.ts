import type { Command } from 'commander';
import type { components } from '../../schema.ts';
import type { Session } from '../session/session.ts';
import { tableLines } from '../shown/table.ts';
import { count } from '../shown/words.ts';

type Model = components['schemas']['Model'];

const columns = [
  { head: 'MODEL' },
  { head: 'KIND' },
  { head: 'CONTEXT', right: true },
  { head: 'EUR PER MILLION TOKENS' },
  { head: 'CAN' },
] as const;

function priceText({ inputPerMillionTokens, outputPerMillionTokens, perSecond }: Model['pricing']): string {
  if (perSecond !== undefined) return `${perSecond} a second`;
  return [
    inputPerMillionTokens !== undefined && `${inputPerMillionTokens} in`,
    outputPerMillionTokens !== undefined && `${outputPerMillionTokens} out`,
  ]
    .filter(Boolean)
    .join(', ');
}

const abilities = ({ tools, images, structuredOutput, streaming }: Model['capabilities']): string =>
  [tools && 'tools', images && 'images', structuredOutput && 'schemas', streaming && 'streaming']
    .filter(Boolean)
    .join(', ');

const rowOf = ({ id, kind, context_length, pricing, capabilities }: Model): string[] => [
  id,
  kind,
  context_length === undefined ? '' : count(context_length),
  priceText(pricing),
  abilities(capabilities),
];

async function models(session: Session): Promise<void> {
  const { api } = await session.connect();
  const { data } = await api.GET('/v1/models', { signal: session.interruption.signal });
  session.show(data, () => tableLines(columns, data.data.map(rowOf)));
}

export function defineModels(program: Command, session: Session): void {
  program
    .command('models')
    .description('the models of the service, with their prices')
    .addHelpText('after', '\nWith --json: one document, as GET /v1/models answers it.')
    .action(() => models(session));
}
