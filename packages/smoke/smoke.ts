import type { Check } from './check.ts';
import { Failed, type Row, Skipped, Unusable } from './outcome.ts';
import type { Scene } from './scene.ts';
import { describe, excerpt, printable } from './show.ts';

interface Patience {
  /** How long a check lasts before the command says that it is still waiting. */
  afterMilliseconds?: number;
  tellWaiting?(text: string): void;
}

/**
 * Makes the checks one after the other, because some of them measure times. Tells of each when it is done. After one that
 * finds the service unusable, the others are skipped.
 */
export async function smoke(
  scene: Scene,
  checks: readonly Check[],
  tell: (row: Row) => void = () => {},
  { afterMilliseconds = 10_000, tellWaiting = () => {} }: Patience = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let unusable: string | undefined;
  for (const check of checks) {
    const because = check.always ? undefined : unusable;
    const waiting = setTimeout(tellWaiting, afterMilliseconds, `waiting for "${check.name}" ...`);
    const row = await perform(because === undefined ? check : skipping(check, because), scene, () => {
      unusable ??= check.name;
    });
    clearTimeout(waiting);
    rows.push(row);
    tell(row);
  }
  return rows;
}

const skipping = ({ name }: Check, failed: string): Check => ({
  name,
  async run() {
    throw new Skipped(`"${failed}" has failed`);
  },
});

async function perform({ name, run }: Check, scene: Scene, foundUnusable: () => void): Promise<Row> {
  const startedAt = performance.now();
  const row = (result: Row['result'], seen: string): Row => ({
    check: name,
    result,
    seen: printable(seen, keysOf(scene)),
    milliseconds: Math.round(performance.now() - startedAt),
  });
  try {
    return row('passed', await run(scene));
  } catch (error) {
    if (error instanceof Skipped) return row('skipped', error.message);
    if (error instanceof Unusable) foundUnusable();
    if (error instanceof Failed) return row('failed', error.message);
    return row('failed', scene.signal?.aborted ? 'interrupted' : excerpt(describe(error)));
  }
}

const keysOf = ({ key, secondKey, headers = {} }: Scene): string[] =>
  [key, secondKey, ...Object.values(headers)].filter((each) => each !== undefined && each !== '') as string[];
