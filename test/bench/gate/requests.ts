import { fileURLToPath } from 'node:url';
import { errorsOf, type Figures, measureInRounds, type Row } from '../chat/measure.ts';
import type { Target } from '../chat/target.ts';
import { startServerTargets } from '../chat/targets.ts';
import { type Running, startNode } from '../processes.ts';
import { countStore } from './count.ts';
import type { Count, Measured, TimeKind } from './figures.ts';
import { decided, type GateSection, loads } from './loads.ts';
import type { Both } from './noise.ts';
import { type Service, startService } from './services.ts';

const rounds = 16;
const warmUpRounds = 5;

export type LoadRow = Row<GateSection>;

interface Requests extends Measured {
  lean: LoadRow[];
}

/**
 * Two services of each checkout, and the lean proxy, take turns; one of them has load. The order in which they start is that in
 * which neither checkout's are first or second more often.
 */
export async function measureRequests(roots: Both<string>): Promise<Requests> {
  const [chat, decisions] = await Promise.all([startProvider('chat'), startProvider('decisions')]);
  const upstreams = { chat: `http://127.0.0.1:${chat.ready}`, decisions: decisions.ready };
  const script = JSON.stringify({ answer: JSON.stringify(decided), pauseMilliseconds: 0 });
  await fetch(`${decisions.ready}/script`, { method: 'POST', body: script });
  const targets: Target[] = [];
  try {
    const start = async (side: keyof Both<string>) => {
      const service = await startService(side, roots[side], upstreams);
      targets.push(service);
      return service;
    };
    const [now, base] = [await start('now'), await start('base')];
    for (const side of ['base', 'now'] as const) await start(side);
    for (const lean of await startServerTargets(upstreams.chat, { targets: ['lean'], against: [] }))
      targets.push({ ...lean, takes: ({ dialect }) => dialect === undefined });
    await measureInRounds(targets, loads, warmUpRounds);
    const rows = await measureInRounds(targets, loads, rounds);
    if (rows.some((row) => errorsOf(row) > 0)) throw new Error('requests failed: nothing can be compared');
    const counts: Count[] = [];
    for (const section of loads) counts.push(...(await countBoth({ now, base }, section)));
    return { times: timesOf(rows), counts, lean: rows.filter(({ target }) => target === 'lean') };
  } finally {
    for (const target of targets) await target.stop();
    for (const provider of [chat, decisions]) provider.stop();
  }
}

const startProvider = (bench: string): Promise<Running> =>
  startNode(fileURLToPath(new URL(`../${bench}/upstream.ts`, import.meta.url)), []);

async function countBoth(
  services: Both<Service>,
  { title: what, loads: [load] }: GateSection,
): Promise<Count[]> {
  const [now, base] = await Promise.all([countStore(services.now, load), countStore(services.base, load)]);
  return (['requests', 'bytes'] as const).map((kind) => ({ what, kind, now: now[kind], base: base[kind] }));
}

function timesOf(rows: readonly LoadRow[]): Measured['times'] {
  const kinds = ['cpu', 'storeCpu', 'duration'] as const satisfies (TimeKind & keyof Figures)[];
  return loads.flatMap((section) => {
    const of = (side: keyof Both<string>) =>
      rows.filter((row) => row.section === section && row.target === side).map((row) => row.rounds);
    const [[now, again], [base, baseAgain]] = [of('now'), of('base')] as [Figures[][], Figures[][]];
    return kinds.map((kind) => ({
      what: section.title,
      kind,
      rounds: now!.map((first, i) => ({
        now: [first[kind], again![i]![kind]] as const,
        base: [base![i]![kind], baseAgain![i]![kind]] as const,
      })),
    }));
  });
}
