import { createWrittenText, type WrittenText } from '../written-text.ts';
import type { Choice, Chunk } from './chunk.ts';

/** What was seen of a stream so far. */
export interface Relayed {
  /** The upstream's last chunk. Our own last chunk takes its id and date from it. */
  last: Chunk | undefined;
  /** The chunk with a finish_reason that is held back, to carry our usage and impact. */
  held: Chunk | undefined;
  /** Fields of the upstream's chunks without choices that were not passed on. Our own last chunk repeats them. */
  withoutChoices: Chunk | undefined;
  /** The upstream's last usage object with numbers that can be charged. */
  usage: unknown;
  /** Whether the model wrote more after `usage` came. */
  usageIsOld: boolean;
  written: WrittenText;
  /** Tokens that came and that nobody can read, estimated. Nothing is held back for them. */
  hiddenTokens: number;
  /** The choice that was finished last. */
  finished: Choice | undefined;
  /** Whether `[DONE]` came. */
  done: boolean;
}

export const nothingRelayed = (): Relayed => ({
  last: undefined,
  held: undefined,
  withoutChoices: undefined,
  usage: undefined,
  usageIsOld: false,
  written: createWrittenText(),
  hiddenTokens: 0,
  finished: undefined,
  done: false,
});
