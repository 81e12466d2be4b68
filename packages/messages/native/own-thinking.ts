import { makeMark, readMark } from '../thinking/mark.ts';
import type { Block } from '../wire.ts';

/** What an upstream knows a block of thinking by. */
const sealOf: Readonly<Record<string, string>> = { thinking: 'signature', redacted_thinking: 'data' };

/** A block of an upstream, in which thinking has our mark of the model. */
export function wrapThinking(tag: string, block: Block): Block {
  const seal = sealOf[block?.type];
  const own = seal === undefined ? undefined : block[seal];
  return seal !== undefined && typeof own === 'string' && own !== ''
    ? { ...block, [seal]: makeMark(tag, 'n', own) }
    : block;
}

/** A caller's block as the model's upstream made it. None for thinking of another model, or of no such upstream. */
export function unwrapThinking(tag: string, block: Block): Block[] {
  const seal = sealOf[block?.type];
  const mark = seal === undefined ? undefined : readMark(block[seal]);
  if (seal === undefined || !mark) return [block];
  return mark.tag === tag && mark.kind === 'n' ? [{ ...block, [seal]: mark.rest }] : [];
}
