import { parseArgs } from 'node:util';
import { otherCheckout } from '../checkouts.ts';
import { type Part, parts } from './sections.ts';

export interface Options {
  parts: ReadonlySet<Part>;
  /** The names of the targets that are measured; all of them if this is left out. */
  targets?: string[];
  /** The absolute paths of other checkouts of this project with their own node_modules. */
  against: string[];
  rounds: number;
}

/** Throws if an option is unknown or wrong. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      targets: { type: 'string' },
      against: { type: 'string' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const asked = values.only?.split(',') ?? parts;
  const unknown = asked.filter((name) => !parts.includes(name as Part));
  if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}; there are: ${parts.join(', ')}`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1');
  return {
    parts: new Set(asked as Part[]),
    rounds,
    ...(values.targets !== undefined && { targets: values.targets.split(',') }),
    against: values.against?.split(',').map(otherCheckout) ?? [],
  };
}
