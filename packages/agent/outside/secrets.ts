import { limits } from '@errand/platform';
import { decodedTexts } from './decoded-texts.ts';
import { bare, indexWindows, spelt, type WindowIndex } from './windows.ts';

/** What a text that is sent out says, prepared for the search for secrets in it. */
export interface SentText {
  carriesValue(value: string): boolean;
  /** The pieces that it has in common with this text. */
  piecesOf(attachment: SpeltText): ReadonlySet<string>;
}

/** A text in the spellings in which it is looked for. */
export interface SpeltText {
  spelt: string;
  bare: string;
}

export const spellText = (text: string): SpeltText => ({ spelt: spelt(text), bare: bare(text) });

const { fencedValueCharacters: valueCharacters, fencedAttachmentCharacters: attachmentCharacters } = limits;

export function readSentText(text: string): SentText {
  const texts = [...decodedTexts(text)];
  const forms = { spelt: texts.map(spelt), bare: texts.map(bare) };
  const index = indexBoth(forms, valueCharacters);
  return {
    carriesValue(value) {
      if ([...value].length < valueCharacters) return false;
      const loose = [bare(value), ...looseBase64(value)];
      return index.spelt.hasAllOf(spelt(value)) || loose.some((form) => index.bare.hasAllOf(form));
    },
    piecesOf(attachment) {
      const { spelt: exact, bare: loose } = indexBoth(forms, attachmentCharacters);
      return new Set([...exact.sharedWith(attachment.spelt), ...loose.sharedWith(attachment.bare)]);
    },
  };
}

const indexBoth = (
  texts: Record<keyof SpeltText, readonly string[]>,
  length: number,
): Record<keyof SpeltText, WindowIndex> => ({
  spelt: indexWindows(texts.spelt, length),
  bare: indexWindows(texts.bare, length),
});

/** The base64 of a text at its three alignments, bare: hosts lose its case, and labels or paths may split it. */
const looseBase64 = (text: string): string[] =>
  [0, 1, 2].map((offset) => {
    const whole = Buffer.from('\0'.repeat(offset) + text);
    const first = Math.ceil((offset * 8) / 6);
    return bare(whole.toString('base64').slice(first, Math.floor((whole.length * 8) / 6)));
  });
