import type { KeptMaterial } from '../reading/kept-material.ts';

/** The material of a run that is kept in memory. */
export function keptInMemory(): KeptMaterial {
  const kept = new Map<string, Uint8Array>();
  return {
    keep: async (name, packed) => void kept.set(name, packed),
    read: async (name) => kept.get(name),
  };
}
