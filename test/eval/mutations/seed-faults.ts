import { checkouts } from '../../bench/checkouts.ts';
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

interface SeedOptions {
  /** A checkout to copy in place of this one. */
  against?: string;
  fault?: string;
  json: boolean;
  tasksAtOnce: number;
}

/** Measures what the evaluation sees: how many faults move a figure. Returns the report. */
export async function seedFaults({ against, fault = '', json, tasksAtOnce }: SeedOptions): Promise<string> {
  const chosen = faults.filter(({ name }) => new RegExp(fault).test(name));
  const copy = await copySources(checkouts(against)[0]!.root);
  try {
    const measured: Evaluation[] = [];
    const evaluations = await evaluate({
      measured(one) {
        measured.push(one);
        const moves = movesOf(measured.slice(0, unchangedRuns), one).join('; ') || 'nothing';
        console.error(`${Math.round(one.seconds)} s: ${one.name}: ${moves}`);
      },
      kinds: kinds.filter((kind) => sample.some((id) => id.startsWith(kind))),
      checkouts: mutants(copy, chosen),
      tasksAtOnce,
      contextTokens,
      choose: ({ id }) => sample.includes(id),
    });
    return report(evaluations, json);
  } finally {
    await copy.remove();
  }
}

function report(evaluations: readonly Evaluation[], json: boolean): string {
  const unchanged = evaluations.slice(0, unchangedRuns);
  const rows = evaluations.slice(unchangedRuns).map((mutant) => ({
    name: mutant.name,
    moves: movesOf(unchanged, mutant),
  }));
  const seen = rows.filter(({ moves }) => moves.length > 0).length;
  if (json) return JSON.stringify({ seen, faults: rows }, null, 1);
  const seenBy = rows.map(({ name, moves }) => [name, moves.join('; ') || 'nothing']);
  return [
    markdown(['figure', 'unchanged', 'by chance'], chanceRows(unchanged)),
    markdown(['fault', 'seen by'], seenBy),
    `Seen: ${seen} of ${rows.length} faults, with ${unchanged[0]!.scores.length} tasks each.`,
  ].join('\n\n');
}

async function* mutants(copy: Copy, chosen: readonly Fault[]): AsyncGenerator<Checkout> {
  // Every edit is tried before anything is measured.
  for (const fault of chosen) await (await copy.put(fault))();
  for (let i = 0; i < unchangedRuns; i++) yield { name: 'unchanged', root: copy.root };
  for (const fault of chosen) {
    const takeOut = await copy.put(fault);
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
