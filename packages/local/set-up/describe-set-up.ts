import { addressOf, type Catalogue, type Model, priceAt, type Role } from '@errand/models';
import type { Price } from '@errand/platform';

/** The models that a service offers, and which of them are stand-ins. */
export interface SetUp {
  catalogue: Catalogue;
  standIns: ReadonlySet<string>;
  /** Whether the models are of a catalogue's file, which says where keys are. */
  fromFile: boolean;
}

const longestColumn = 48;

/** What each role does, and what does not work without a model that has it. docs/catalogue.md says more of it. */
const roleWords: readonly [role: Role, does: string, without: string][] = [
  ['reasoning', 'thinks and answers in runs that name no model', 'there are no runs'],
  ['vision', 'looks at the images of runs', 'images of runs are refused, and their tool is not offered'],
  [
    'speech',
    'transcribes the recordings of runs',
    'recordings of runs are not read, and their tool is not offered',
  ],
  [
    'decision',
    'checks the claims of runs with proof, and calls for approve: auto',
    'runs that ask for proof or approve: auto are refused',
  ],
  [
    'embedding',
    'finds passages of long material by their meaning',
    'passages of long material are found by their words alone',
  ],
];

/** The models and the roles, in lines of aligned columns. */
export function describeSetUp({ catalogue, standIns }: SetUp, nowMilliseconds: number): string[] {
  const models = catalogue.models.map((model) => [
    model.id,
    model.kind,
    ...(standIns.has(model.id)
      ? ['stand-in', '']
      : [serversOf(model), priceWords(priceAt(model, nowMilliseconds))]),
  ]);
  const roles = roleWords.map(([role, does, without]) => {
    const id = catalogue.roles[role];
    return id === undefined ? [role, 'missing', without] : [role, id, does];
  });
  return ['Models', ...align(models), 'Roles', ...align(roles)];
}

function serversOf({ upstream, fallbacks }: Model): string {
  const [host] = addressOf(upstream).split('/');
  return fallbacks.length === 0 ? host! : `${host} +${fallbacks.length}`;
}

function priceWords(price: Price): string {
  const { inputPerMillionTokens: input, outputPerMillionTokens: output, perSecond } = price;
  const amounts = [input, output, perSecond].filter((amount) => amount !== undefined);
  if (amounts.every((amount) => amount === 0)) return 'free';
  if (perSecond !== undefined) return `EUR ${plain(perSecond)} per second`;
  const parts = [`${plain(input ?? 0)} in`, ...(output ? [`${plain(output)} out`] : [])];
  return `EUR ${parts.join(', ')} per million tokens`;
}

/** Without an exponent: the smallest price is a nano-euro. */
const plain = (amount: number): string => amount.toFixed(9).replace(/\.?0+$/, '');

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, index) => Math.max(all[index] ?? 0, Math.min(longestColumn, cell.length))),
    [],
  );
  return rows.map((row) =>
    `  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd(),
  );
}
