import { type Check, excerpt, Failed, type Row, Skipped } from './check.ts';
import type { Scene } from './scene.ts';

/** Makes the checks one after the other, because some of them measure times. Tells of each when it is done. */
export async function smoke(
  scene: Scene,
  checks: readonly Check[],
  tell: (row: Row) => void = () => {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const check of checks) {
    const row = await perform(check, scene);
    rows.push(row);
    tell(row);
  }
  return rows;
}

async function perform({ name, run }: Check, scene: Scene): Promise<Row> {
  const startedAt = performance.now();
  const row = (result: Row['result'], seen: string): Row => ({
    check: name,
    result,
    seen,
    milliseconds: Math.round(performance.now() - startedAt),
  });
  try {
    return row('passed', await run(scene));
  } catch (error) {
    if (error instanceof Skipped) return row('skipped', error.message);
    if (error instanceof Failed) return row('failed', error.message);
    return row('failed', scene.signal?.aborted ? 'interrupted' : excerpt(describe(error)));
  }
}

/** A connection that fails has its reason in a code, and sometimes an empty message. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return [error.name, error.message, error.message.includes(code) ? '' : code].filter(Boolean).join(' ');
}
