import { readFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '@errand/platform';
import { edgeLimits } from '../../infra/edge.ts';
import { root } from './sources.ts';

/** Every limit that docs/limits.md may tell, with its unit in its name. */
export const known: Readonly<Record<string, number>> = {
  ...limits,
  edgeJsonBytes: edgeLimits.jsonBytes,
  edgeOtherBytes: edgeLimits.otherBytes,
};

const times = { day: 86_400_000, hour: 3_600_000, minute: 60_000, s: 1_000, ms: 1 };
const sizes = { GB: 1e9, MiB: 2 ** 20, MB: 1e6, KiB: 2 ** 10, KB: 1e3, bytes: 1 };

const unitOf = (name: string): string =>
  /Milliseconds|Seconds|Bytes|Characters|Tokens|Days/.exec(name)?.[0] ?? '';
const scaleOf = (name: string): Readonly<Record<string, number>> =>
  unitOf(name) === 'Bytes' ? sizes : ['Milliseconds', 'Seconds'].includes(unitOf(name)) ? times : {};
const baseOf = (name: string): number =>
  (known[name] ?? Number.NaN) * (unitOf(name) === 'Seconds' ? 1000 : 1);

const isWhole = (base: number, unit: string, size: number): boolean =>
  base % size === 0 || (unit === 'MB' && base > size && (10 * base) % size === 0);

const withUnit = (number: number, unit: string): string =>
  `${number.toLocaleString('en')} ${unit}${number !== 1 && unit in times && unit.length > 2 ? 's' : ''}`;

/** A limit in the largest unit in which it is a whole number, such as `15 s`. What it counts stands behind it if its name says so. */
function writeLimit(name: string): string {
  const base = baseOf(name);
  for (const [unit, size] of Object.entries(scaleOf(name)))
    if (isWhole(base, unit, size) && (unit !== 'day' || base > size)) return withUnit(base / size, unit);
  return [base.toLocaleString('en'), unitOf(name).toLowerCase()].join(' ').trim();
}

/** The same as a page has written it: with its unit and its words, as long as the number is whole in that unit. */
function writeAs(name: string, written: string): string {
  const [, words = ''] = /^[\d,.]+( .*)?$/.exec(written) ?? [];
  if (words === '')
    return (known[name] ?? Number.NaN).toLocaleString('en', { useGrouping: written.includes(',') });
  const unit = words
    .trim()
    .replace(/^seconds?$/, 's')
    .replace(/(?<=day|hour|minute)s$/, '');
  const size = scaleOf(name)[unit];
  if (size !== undefined && isWhole(baseOf(name), unit, size)) return withUnit(baseOf(name) / size, unit);
  return Object.keys(scaleOf(name)).length > 0
    ? writeLimit(name)
    : `${baseOf(name).toLocaleString('en')}${words}`;
}

/** A page in which the text of each link to a limit is its number. Throws if there is no such limit. */
export const rewriteNumbers = (page: string): string =>
  page.replaceAll(/\[([^\]]*)\](\([a-z./]*limits\.md#(\w+)\))/g, (_, written, link, name) => {
    if (!(name in known)) throw new Error(`there is no limit ${name}`);
    return `[${writeAs(name, written)}]${link}`;
  });

/** Source in which each constant that names a limit behind it has its number, in packages that may not import the limits. */
export const rewriteConstants = (source: string): string =>
  source.replaceAll(/= [\d_]+;( \/\/ limits\.(\w+))$/gm, (_, mark, name) => {
    if (!(name in known)) throw new Error(`there is no limit ${name}`);
    return `= ${known[name]?.toLocaleString('en').replaceAll(',', '_')};${mark}`;
  });

/** docs/limits.md, of packages/platform/limits.ts: the limits below its headings, with the words behind them. */
export function limitsPage(): string {
  const source = readFileSync(path.join(root, 'packages/platform/limits.ts'), 'utf8');
  const parts = source.split(/^ {2}\/\/ ## /m).slice(1);
  const row = (what: string, name: string) =>
    `| ${what} | ${writeLimit(name)} | <a id="${name}"></a>\`${name}\` |`;
  const head = '| what | limit | name in the code |\n|---|---|---|';
  const tables = parts.map((part) => {
    const rows = (part.split('\n\n')[0] ?? '').matchAll(/^ {2}(\w+): .+?, \/\/ (.+)$/gm);
    return [
      `## ${part.split('\n')[0]}`,
      '',
      head,
      ...rows.map(([, name = '', what = '']) => row(what, name)),
    ].join('\n');
  });
  const edge = [
    '## On Lambda',
    '',
    head,
    row('JSON body', 'edgeJsonBytes'),
    row('Any other body', 'edgeOtherBytes'),
  ];
  return `${[intro, ...tables, edge.join('\n')].join('\n\n')}\n`;
}

const intro = `# Limits

Every limit that a caller can meet, and below them those inside the service that explain what is seen of it. This page is made of \`packages/platform/limits.ts\`, and so is each number of another page that links
here: \`UPDATE_DOCS=1 npm test -- test/architecture\` writes both. MB and KB are powers of 1,000, MiB and KiB of 1,024.`;
