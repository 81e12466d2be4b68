import path from 'node:path';
import { parseArgs } from 'node:util';
import { otherCheckout } from '../../bench/checkouts.ts';
import { type Checkout, type Evaluation, evaluate } from '../evaluate.ts';
import { type Figure, figures, markdown } from '../report/table.ts';
import { kinds } from '../tasks/task.ts';
import { type Copy, copySources } from './copy.ts';
import { type Fault, faults } from './faults.ts';
import { sample } from './sample.ts';

/** The unchanged copy is measured so often, for what moves by chance. */
const unchangedRuns = 2;
/** The least move that counts: points of a share, or a share of a number; and at least so many times what moves by chance. */
const leastMove = 0.03;
const timesChance = 2;
/** So few that conversations of several steps outgrow it. */
const contextTokens = 20_000;

/** Measures what the evaluation sees: how many faults move a figure. */
async function main(): Promise<void> {
  const { root, chosen, json, tasksAtOnce } = readOptions();
  const copy = await copySources(root);
  try {
    const evaluations = await evaluate({
      kinds: kinds.filter((kind) => sample.some((id) => id.startsWith(kind)) || kind === 'table'),
      checkouts: mutants(copy, chosen),
      tasksAtOnce,
      contextTokens,
      choose: ({ id }) => sample.includes(id),
    });
    const unchanged = evaluations.slice(0, unchangedRuns);
    const rows = evaluations
      .slice(unchangedRuns)
      .map((one) => ({ name: one.name, moves: movesOf(unchanged, one) }));
    const seen = rows.filter(({ moves }) => moves.length > 0).length;
    if (json) return console.log(JSON.stringify({ seen, faults: rows }, null, 1));
    const [first] = unchanged as [Evaluation];
    console.log(markdown(['figure', 'unchanged', 'by chance'], chanceRows(unchanged)));
    console.log(
      `\n${markdown(
        ['fault', 'seen by'],
        rows.map(({ name, moves }) => [name, moves.join('; ') || 'nothing']),
      )}`,
    );
    console.log(`\nSeen: ${seen} of ${rows.length} faults, with ${first.scores.length} tasks each.`);
  } finally {
    await copy.remove();
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      root: { type: 'string' },
      fault: { type: 'string' },
      json: { type: 'boolean' },
      parallel: { type: 'string' },
    },
  });
  const chosen = faults.filter(({ name }) => new RegExp(values.fault ?? '').test(name));
  const here = path.resolve(import.meta.dirname, '../../..');
  const root = values.root === undefined ? here : otherCheckout(values.root);
  return { root, chosen, json: values.json, tasksAtOnce: Number(values.parallel ?? 4) };
}

async function* mutants(copy: Copy, chosen: readonly Fault[]): AsyncGenerator<Checkout> {
  // Every edit is tried before anything is measured.
  for (const fault of chosen) await (await copy.put(fault))();
  for (let i = 0; i < unchangedRuns; i++) yield { name: 'unchanged', root: copy.root };
  for (const fault of chosen) {
    const takeOut = await copy.put(fault);
    console.error(fault.name);
    yield { name: fault.name, root: copy.root };
    await takeOut();
  }
}

const measure = ({ of }: Figure, { scores }: Evaluation): number | undefined => of(scores)?.value;

/** How far two measures are apart: in points of a share, or as a share of the first number. */
function distance({ format }: Figure, one: number, other: number): number {
  return format === 'share' ? Math.abs(one - other) : Math.abs(one - other) / Math.max(Math.abs(one), 1e-9);
}

function chanceOf(figure: Figure, unchanged: readonly Evaluation[]): number {
  const [first, ...others] = unchanged.map((one) => measure(figure, one) ?? 0) as [number, ...number[]];
  return Math.max(0, ...others.map((other) => distance(figure, first, other)));
}

const chanceRows = (unchanged: readonly Evaluation[]): string[][] =>
  figures.flatMap((figure) => {
    const value = measure(figure, unchanged[0]!);
    return value === undefined
      ? []
      : [[figure.name, shown(figure, value), `${(100 * chanceOf(figure, unchanged)).toFixed(1)} %`]];
  });

const shown = ({ format }: Figure, value: number): string =>
  format === 'share'
    ? `${Math.round(100 * value)} %`
    : value.toLocaleString('en', { maximumFractionDigits: 2 });

/** The figures that the fault moves, with what they were and are. */
const movesOf = (unchanged: readonly Evaluation[], mutant: Evaluation): string[] =>
  figures.flatMap((figure) => {
    const before = measure(figure, unchanged[0]!);
    const now = measure(figure, mutant);
    if (before === undefined && now === undefined) return [];
    const least = Math.max(leastMove, timesChance * chanceOf(figure, unchanged));
    const isMoved = before === undefined || now === undefined || distance(figure, before, now) > least;
    const [one, other] = [before, now].map((value) => (value === undefined ? 'none' : shown(figure, value)));
    return isMoved ? [`${figure.name} ${one} -> ${other}`] : [];
  });

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
process.exit();
