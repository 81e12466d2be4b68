import { senses } from '../policy/lexicon.ts';
import { fractionOf } from '../random.ts';
import { countTokens } from './tokens.ts';

/** The first places are of senses, the others of words. */
const dimensions = 128;
/** What a sense counts beside a word. */
const senseWeight = 3;

export interface EmbeddingBody {
  model: string;
  input: string | string[];
}

/** Answers a request for vectors: texts that mean the same are near each other, in whatever words and language. */
export function embed({ model, input }: EmbeddingBody): object {
  const texts = [input].flat();
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  const tokens = texts.map(countTokens).reduce((sum, count) => sum + count, 0);
  return { object: 'list', model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  // A text that asks is nearer to one that states than to another that asks.
  for (const [at, { asks, states }] of senses.entries())
    vector[at] = states.test(text) ? senseWeight : asks.test(text) ? senseWeight / 2 : 0;
  const words = new Set(text.toLowerCase().match(/\p{L}{4,}/gu));
  const share = 1 / Math.sqrt(words.size || 1);
  for (const word of words) {
    const at = senses.length + Math.floor(fractionOf(word) * (dimensions - senses.length));
    vector[at]! += share;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
