import { type PackedPassages, packPassages, splitPassages } from '@errand/passages';
import { describeError, type Log, sha256Hex } from '@errand/platform';
import type { FoundSource } from '../data.ts';

/** Keeps what a run has read for as long as the run can be read. */
export interface KeptMaterial {
  /** Replaces what was kept under the name before. */
  keep(name: string, packed: PackedPassages): Promise<void>;
  /** Undefined if nothing is kept under the name. */
  read(name: string, signal: AbortSignal): Promise<PackedPassages | undefined>;
}

/** The name under which the caller's own file is kept. */
export const uploadMaterial = 'upload';

/** The name under which what was read at an address is kept. */
export const materialName = (address: string): string => sha256Hex(address).slice(0, 32);

const vectorsEnding = '-vectors';

/** The name under which the vectors of a material's passages are kept. */
export const vectorsName = (material: string): string => `${material}${vectorsEnding}`;

/** The names of what is kept of a source. */
export function keptNames({ material, vectors }: Pick<FoundSource, 'material' | 'vectors'>): string[] {
  if (material === undefined) return [];
  return vectors === undefined ? [material] : [material, vectorsName(material)];
}

/** Vectors are named after what their material is called. */
export const renameKept = (name: string, rename: (material: string) => string): string =>
  name.endsWith(vectorsEnding) ? vectorsName(rename(name.slice(0, -vectorsEnding.length))) : rename(name);

export const packText = (text: string): PackedPassages => packPassages({ passages: splitPassages(text) });

/** True if the material could be kept. Material that cannot be kept is still shown and charged. */
export const tryToKeep = (
  { material, log }: { material: KeptMaterial; log: Log },
  name: string,
  packed: PackedPassages,
): Promise<boolean> =>
  material.keep(name, packed).then(
    () => true,
    (error: unknown) => {
      log.warn('material not kept', describeError(error));
      return false;
    },
  );
