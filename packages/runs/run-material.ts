import { type KeptMaterial, renameKept, uploadMaterial } from '@errand/agent';
import { copyNamed, type Files } from '@errand/platform';
import { payloadPrefix } from './item-keys.ts';

const contentType = 'application/octet-stream';

/** What a run has read lies in the bucket beside its long events, and ends with them. */
export const runMaterial = (files: Pick<Files, 'put' | 'getBytes'>, agentId: string): KeptMaterial => ({
  keep: (name, packed) => files.put(keyOf(agentId, name), packed, contentType),
  read: (name, signal) => files.getBytes(keyOf(agentId, name), { signal }),
});

const keyOf = (agentId: string, name: string): string => `${payloadPrefix(agentId)}material-${name}`;

/** Deletes what was kept of a file for a run that was not accepted. */
export const dropUploadMaterial = (files: Pick<Files, 'delete'>, agentId: string): Promise<void> =>
  files.delete(keyOf(agentId, uploadMaterial));

/**
 * Copies what one run has kept, by the names of `keptNames`, for another run, which keeps each material under the name
 * that `rename` gives. Resolves to the names of what is gone. What was copied when it throws lies under the other run's
 * `payloadPrefix`.
 */
export const copyMaterial = (
  files: Pick<Files, 'copy'>,
  from: string,
  to: string,
  names: readonly string[],
  signal: AbortSignal,
  rename: (material: string) => string = (material) => material,
): Promise<string[]> =>
  copyNamed(
    files,
    names,
    (name) => ({ from: keyOf(from, name), to: keyOf(to, renameKept(name, rename)) }),
    signal,
  );
