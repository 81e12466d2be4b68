/** The arguments as they are sent, and their texts and names in a row: a secret may be spread over several. */
export const messageOf = (args: unknown): string =>
  [JSON.stringify(args), textsOf(args).join(''), namesOf(args).join('')].join('\n');

const isComposed = (value: unknown): value is object => typeof value === 'object' && value !== null;

const textsOf = (value: unknown): string[] =>
  isComposed(value) ? Object.values(value).flatMap(textsOf) : [String(value)];

const namesOf = (value: unknown): string[] =>
  isComposed(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesOf(inner)]) : [];
