import { sha256Hex } from '@errand/platform';

export const claimKey = (text: string, passage: string): string =>
  sha256Hex(JSON.stringify([text, passage])).slice(0, 32);

/** What the sources of a claim say about it together. */
export const passageText = (passages: ReadonlyMap<number, string>): string =>
  [...passages.values()].join('\n\n');
