import { delay } from '@errand/platform';
import { createWholeApp } from '@errand/service';
import { expect } from 'vitest';
import type { RunEvent } from '../../support/service.ts';
import { type Charged, type Desk, openDesk } from './desk.ts';
import { alike, everythingRun } from './everything-run.ts';
import { closeParts, type Ground, groundParts } from './ground.ts';
import type { Asked, Outside } from './outside.ts';
import { type Hooks, nameOf, type Point } from './points.ts';
import { type Doom, startTestWorker } from './workers.ts';

/** Scripts the models for a run with this label, and makes the body of its creation. */
export type RunOf = (outside: Outside, label: string) => object;

/** Events, charges and AWS calls of the same run when nothing fails. */
export interface Reference {
  events: RunEvent[];
  charged: Charged;
  points: Point[];
}

export async function undisturbedRun(ground: Ground, runOf: RunOf = everythingRun): Promise<Reference> {
  const desk = await openDesk(ground);
  const points: Point[] = [];
  const hooks = { before: (point: Point) => void points.push(point) };
  const worker = await startTestWorker(ground.settings, desk.queues, { hooks, leaseSeconds: 60 });
  const handled = worker.handled();
  const label = 'undisturbed';
  const agentId = await desk.start(runOf(ground.outside, label));
  const events = alike(await desk.follow(agentId), { agentId, label });
  await handled;
  await worker.stop();
  const reference = { events, charged: await desk.charged(agentId), points };
  desk.close();
  return reference;
}

/**
 * Every commit, and the last call of each other kind. Between two commits a worker that takes over finds the same
 * store, except for objects that no item refers to yet.
 */
export function tellingPoints({ points }: Reference): Point[] {
  const others = [...Map.groupBy(points, ({ kind }) => kind).values()].map((group) => group.at(-1)!);
  return [
    ...points.filter(({ kind }) => kind === 'commit'),
    ...others.filter(({ kind }) => kind !== 'commit'),
  ];
}

/** A run, and what ends its workers: the first of them at the first doom, the next at the next. */
export interface Case {
  label: string;
  dooms: readonly Doom[];
}

/** A run for each point and moment. */
export const oneDoomEach = (points: readonly Point[], moments: readonly Doom['moment'][]): Case[] =>
  points.flatMap((point) =>
    moments.map((moment) => ({
      label: `${nameOf(point)}-${moment}`.replace(/\W+/g, '-'),
      dooms: [{ ...point, moment }],
    })),
  );

/**
 * A run for each of `firsts`, the commit that ends its first worker; each `stride`-th commit from there ends another one, which
 * counts its own. The worker makes progress before it ends, so the run is not given up.
 */
export const manyDoomsEach = (
  { points }: Reference,
  moment: Doom['moment'],
  { firsts, stride }: { firsts: readonly number[]; stride: number },
): Case[] =>
  firsts.map((first) => ({
    label: `every-${stride}-from-${first}-${moment}`,
    dooms: points
      .filter(({ kind }) => kind === 'commit')
      .filter(({ ordinal }) => ordinal >= first && (ordinal - first) % stride === 0)
      .map(({ kind, ordinal }) => {
        const ofLater = moment === 'after' ? stride : stride + 1;
        return { kind, ordinal: ordinal === first ? first : ofLater, moment };
      }),
  }));

export const countDooms = (cases: readonly Case[]): number => cases.flatMap(({ dooms }) => dooms).length;

export const isWrite = ({ kind }: Point): boolean => !kind.startsWith('read ');

/** The run of one case, with an API and a queue of its own. */
export interface Subject {
  ground: Ground;
  desk: Desk;
  agentId: string;
  label: string;
}

export async function startSubject(
  ground: Ground,
  label: string,
  runOf: RunOf = everythingRun,
): Promise<Subject> {
  const desk = await openDesk(ground);
  const agentId = await desk.start(runOf(ground.outside, label));
  return { ground, desk, agentId, label };
}

/** Expects that the run ended like the reference: same events, ids without gap or repeat, same charges. */
export async function expectUndisturbed(
  { desk, agentId, label }: Subject,
  reference: Reference,
  failedTool?: string,
): Promise<void> {
  const events = alike(await desk.follow(agentId), { agentId, label });
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  expect(events).toEqual(
    failedTool ? withFailedTool(reference.events, events, failedTool) : reference.events,
  );
  const { status, result } = await desk.read(agentId);
  expect([status, result?.replaceAll(label, '<label>')]).toEqual([
    'succeeded',
    reference.events.at(-1)?.finalText,
  ]);
  expect(await desk.charged(agentId)).toEqual(reference.charged);
}

/** The reference's events with one result of the tool replaced by its failure, where `seen` has it. */
function withFailedTool(reference: RunEvent[], seen: RunEvent[], tool: string): RunEvent[] {
  const result = `Error: ${tool} failed unexpectedly.`;
  const at = seen.findIndex((event) => event.toolName === tool && event.result === result);
  const unsaved = 'Error: Nothing is saved under "harbour".';
  return reference.map((event, i) => {
    if (i === at) return { ...event, result };
    const isUnsaved = tool === 'save_data' && event.toolName === 'read_data' && seen[i]?.result === unsaved;
    return isUnsaved ? { ...event, result: unsaved } : event;
  });
}

/** The committed work of a run: what it asked of the outside server, and how many values it saved. */
export async function committedWork({ desk, agentId }: Subject): Promise<{ asked: string[]; saves: number }> {
  const results = (await desk.events(agentId)).filter(({ type }) => type === 'tool_result');
  const nth = new Map<string, number>();
  const asked = results.flatMap(({ toolName }) => {
    const number = nth.get(String(toolName)) ?? 0;
    nth.set(String(toolName), number + 1);
    return askedFor[String(toolName)]?.[number] ?? [];
  });
  const { ids } = await desk.charged(agentId);
  const saves = nth.get('save_data') ?? 0;
  return { asked: [...asked, ...ids.filter((id) => id.startsWith('completion-'))], saves };
}

const askedFor: Record<string, string[]> = {
  audio_transcribe: ['speech:forced', 'speech:b'],
  vision: ['vision:run', 'vision:b'],
  document_parse: ['document:a.txt'],
  web_crawl: ['page:a.html'],
  web_search: ['search:tides'],
};

/** How often the run asked the outside server for each of these. */
export const timesAsked = ({ ground, label }: Subject, whats: readonly string[]): number[] =>
  whats.map(
    (what) => ground.outside.asked.filter((asked) => asked.label === label && asked.what === what).length,
  );

/** Holds the run's first question of this kind until `open` is called. The same question asked again is answered. */
export function holdFirst({ ground: { outside }, label }: Pick<Subject, 'ground' | 'label'>, what: string) {
  const isIt = (asked: Asked) => asked.label === label && asked.what === what;
  let held = false;
  const open = outside.hold((asked) => {
    if (held || !isIt(asked)) return false;
    held = true;
    return true;
  });
  return { asked: outside.nextAsked(isIt), open };
}

/** Reads a queued run with a clock a minute ahead, so that its message is sent again. */
export async function readLater({ ground, desk, agentId }: Subject): Promise<void> {
  const parts = groundParts(ground.settings, desk.queues, () => Date.now() + 61_000);
  const app = createWholeApp(parts);
  const { key } = desk;
  await app.request(`/v1/agents/runs/${agentId}`, { headers: { Authorization: `Bearer ${key}` } });
  closeParts(parts);
}

/** Far longer than any case takes, and shorter than a test may. A case that hangs is reported as a failure, and the others go on. */
const patienceMilliseconds = 500_000;

/** Runs each case, `width` at a time. Returns the label and error of each that failed. */
export async function failuresOf<T extends { label: string }>(
  cases: readonly T[],
  width: number,
  run: (each: T) => Promise<void>,
): Promise<string[]> {
  const waiting = [...cases];
  const failures: string[] = [];
  const lane = async () => {
    for (let each = waiting.shift(); each; each = waiting.shift()) {
      const { label } = each;
      const stuck = new AbortController();
      const patience = delay(patienceMilliseconds, stuck.signal).then(() => {
        throw new Error('it never ended');
      });
      await Promise.race([run(each), patience]).catch((error: Error) =>
        failures.push(`${label}: ${error.message}`),
      );
      stuck.abort();
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return failures;
}

/** Hooks of a worker that note the run's deaths before each of its commits, which reset them. */
export function deathsBeforeCommits({ desk, agentId }: Pick<Subject, 'desk' | 'agentId'>) {
  const seen: number[] = [];
  const hooks: Hooks = {
    async before({ kind }) {
      if (kind === 'commit') seen.push((await desk.record(agentId)).deaths);
    },
  };
  return { seen, hooks };
}
