import type { Part } from './paint.ts';
import { onOneLine } from './printable.ts';
import { tableLines } from './table.ts';

/** A skill or an agent in a list. */
interface NamedThing {
  name: string;
  description: string;
  scope?: string | undefined;
  version?: number | null | undefined;
  enabled?: boolean | undefined;
}

/** A list of skills or agents as a table. */
export const showNamed = (noun: string, things: readonly NamedThing[]): Part[] =>
  things.length === 0
    ? [`No ${noun}s.`]
    : tableLines(
        [
          { head: noun.toUpperCase() },
          { head: 'SCOPE' },
          { head: 'VERSION', right: true },
          { head: 'DESCRIPTION' },
        ],
        things.map(({ name, scope, version, enabled, description }) => [
          name,
          scope ?? '-',
          version?.toString() ?? '-',
          onOneLine(`${enabled === false ? '(disabled) ' : ''}${description}`, 60),
        ]),
      );
