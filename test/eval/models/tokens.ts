import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';

/** Counts of long texts are kept: a conversation is sent again and again. */
const counted = new Map<string, number>();
const keptFromCharacters = 2_000;
const mostKept = 400;
const options = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

export function countTokens(text: string): number {
  const known = counted.get(text);
  if (known !== undefined) return known;
  const count = encode(text, options).length;
  if (text.length >= keptFromCharacters) {
    if (counted.size >= mostKept) counted.clear();
    counted.set(text, count);
  }
  return count;
}

/** The text up to so many tokens, and whether something was cut. */
export function cutTokens(text: string, most: number): { text: string; isCut: boolean; tokens: number } {
  const tokens = encode(text, options);
  if (tokens.length <= most) return { text, isCut: false, tokens: tokens.length };
  return { text: decode(tokens.slice(0, most)), isCut: true, tokens: most };
}
