import { sha256Hex } from '@errand/platform';

/*
 * Clients send thinking back with its signature. A signature of ours says which model made the thinking, so that no other upstream is
 * shown it. It is a label, not a proof: whoever writes one can say no more than what a chat completion may say.
 */

const tagCharacters = 8;
const marked = /^errand_([0-9a-f]{8})_([nm])(.*)$/s;

/** What marks thinking of the model with this id of the catalogue. */
export const tagOf = (modelId: string): string => sha256Hex(`thinking of ${modelId}`).slice(0, tagCharacters);

/** A signature of ours: `n` around an upstream's own, `m` for thinking that a chat completion has brought. */
export const makeMark = (tag: string, kind: 'n' | 'm', rest = ''): string => `errand_${tag}_${kind}${rest}`;

/** Undefined for a signature that is not ours. */
export function readMark(text: unknown): { tag: string; kind: 'n' | 'm'; rest: string } | undefined {
  const [, tag, kind, rest] = typeof text === 'string' ? (marked.exec(text) ?? []) : [];
  if (tag === undefined || rest === undefined) return undefined;
  return { tag, kind: kind as 'n' | 'm', rest };
}
