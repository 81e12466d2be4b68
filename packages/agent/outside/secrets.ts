import { limits } from '@errand/platform';
import type { AttachmentIndex, Forms } from './attachment-index.ts';
import { decodedTexts } from './decoded-texts.ts';
import { bare, indexWindows, spelt } from './windows.ts';

/** What a text that is sent out says, prepared for the search for secrets in it. */
export interface SentText {
  carriesValue(value: string): boolean;
  /** The pieces that it has in common with this text. */
  piecesOf(attachment: AttachmentIndex): ReadonlySet<string>;
}

const valueCharacters = limits.fencedValueCharacters;
/** Fewer letters and digits in a row are found by chance in addresses that have nothing to do with a value. */
const shortestBareCharacters = 5;

export function readSentText(text: string): SentText {
  const texts = [...decodedTexts(text)];
  const forms: Forms = { spelt: [...new Set(texts.map(spelt))], bare: [...new Set(texts.map(bare))] };
  const index = {
    spelt: indexWindows(forms.spelt, valueCharacters),
    bare: indexWindows(forms.bare, valueCharacters),
  };
  return {
    carriesValue(value) {
      if ([...value].length < valueCharacters) return false;
      const letters = bare(value);
      // A value with many separators has too few letters for the index of pieces.
      const isShort = letters.length < valueCharacters && letters.length >= shortestBareCharacters;
      if (isShort && forms.bare.some((form) => form.includes(letters))) return true;
      const loose = [letters, ...looseBase64(value)];
      return index.spelt.hasAllOf(spelt(value)) || loose.some((form) => index.bare.hasAllOf(form));
    },
    piecesOf: (attachment) => attachment.sharedWith(forms),
  };
}

/** The base64 of a text at its three alignments, bare: hosts lose its case, and labels or paths may split it. */
const looseBase64 = (text: string): string[] =>
  [0, 1, 2].map((offset) => {
    const whole = Buffer.from('\0'.repeat(offset) + text);
    const first = Math.ceil((offset * 8) / 6);
    return bare(whole.toString('base64').slice(first, Math.floor((whole.length * 8) / 6)));
  });
