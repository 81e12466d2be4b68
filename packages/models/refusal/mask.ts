/** Stands where something of ours was. */
export const removed = '[removed]';

/** What is looked for, and what comes in its place. */
export type Mask = readonly [RegExp, string | ((match: string) => string)];

export const applyMasks = (masks: readonly Mask[], text: string): string =>
  masks.reduce((rest, [pattern, by]) => rest.replace(pattern, by as string), text);
