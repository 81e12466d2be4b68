import { inParallel } from '../in-parallel.ts';
import type { Files } from './files.ts';

const copiesAtOnce = 16;

/**
 * Copies the object of each name, once. Resolves to the names whose objects are gone. Rejects only when no copy is under
 * way any more, so that the caller can delete what was copied. Throws the signal's reason if it aborts.
 */
export async function copyNamed(
  files: Pick<Files, 'copy'>,
  names: readonly string[],
  keysOf: (name: string) => { from: string; to: string },
  signal: AbortSignal,
): Promise<string[]> {
  const gone: string[] = [];
  let failure: { error: unknown } | undefined;
  await inParallel([...new Set(names)], copiesAtOnce, async (name) => {
    if (failure || signal.aborted) return;
    const { from, to } = keysOf(name);
    try {
      if (!(await files.copy(from, to, { signal }))) gone.push(name);
    } catch (error) {
      failure ??= { error };
    }
  });
  signal.throwIfAborted();
  if (failure) throw failure.error;
  return gone;
}
