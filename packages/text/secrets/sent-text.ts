import { limits } from '@errand/platform';
import type { AttachmentIndex, Forms } from './attachment-index.ts';
import { createTurns } from './turns.ts';
import { bare, indexWindows, spelt } from './windows.ts';

/** A text that is to leave, prepared for the search for secrets in it. It is searched in turns, because it may say much in few characters. */
interface SentText {
  /** Whether the text carries the whole value in some disguise. Shorter values than `limits.fencedValueCharacters` are not looked for. */
  carriesValue(value: string): Promise<boolean>;
  /** The pieces that the text and the attachment have in common. */
  piecesOf(attachment: AttachmentIndex): Promise<ReadonlySet<string>>;
}

const valueCharacters = limits.fencedValueCharacters;
/** Fewer letters and digits in a row are found by chance in addresses that have nothing to do with a value. */
const shortestBareCharacters = 5;

export async function readSentText(text: string): Promise<SentText> {
  const yieldTurn = createTurns();
  const [exact, loose] = [new Set<string>(), new Set<string>()];
  for (const decoded of await decodedTexts(text)) {
    exact.add(spelt(decoded));
    loose.add(bare(decoded));
    await yieldTurn();
  }
  const forms: Forms = { spelt: [...exact], bare: [...loose] };
  const index = {
    spelt: indexWindows(forms.spelt, valueCharacters),
    bare: indexWindows(forms.bare, valueCharacters),
  };
  return {
    async carriesValue(value) {
      if ([...value].length < valueCharacters) return false;
      const letters = bare(value);
      // A value with many separators has too few letters for the index of pieces.
      const isShort = letters.length < valueCharacters && letters.length >= shortestBareCharacters;
      if (isShort && forms.bare.some((form) => form.includes(letters))) return true;
      if (index.spelt.hasAllOf(spelt(value))) return true;
      for (const form of [letters, ...looseBase64(value)]) {
        await yieldTurn();
        if (index.bare.hasAllOf(form)) return true;
      }
      return false;
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

/** How many layers of escapes are undone, one inside the other. */
const escapeLayers = 4;
/** How many layers of base64 and hex are undone. */
const layers = 2;

/**
 * What a reader can make of a text without a key: the text as it is written and, if it is an address, as it is sent;
 * without percent-encoding and escapes of JSON; and what any part of it says as base64 or hex, wherever the encoding begins.
 */
export async function decodedTexts(written: string): Promise<ReadonlySet<string>> {
  const yieldTurn = createTurns();
  const sent = URL.parse(written)?.href;
  let layer = await withoutEscapes(new Set(sent === undefined ? [written] : [written, sent]), yieldTurn);
  const all = new Set(layer);
  for (let depth = 0; depth < layers; depth++) {
    const decoded = new Set<string>();
    for (const form of [...layer].flatMap(joinedForms)) {
      for (const text of decodeRuns(form)) decoded.add(text);
      await yieldTurn();
    }
    layer = await withoutEscapes(decoded, yieldTurn);
    for (const text of layer) all.add(text);
  }
  return all;
}

/** An encoded text may be split over the labels of a host, or over a path. */
const joinedForms = (text: string): string[] => [
  ...new Set([text, text.replaceAll('.', ''), text.replaceAll(/[^A-Za-z0-9]+/g, '')]),
];

async function withoutEscapes(
  texts: ReadonlySet<string>,
  yieldTurn: () => Promise<void>,
): Promise<Set<string>> {
  const all = new Set(texts);
  let layer = [...texts];
  for (let i = 0; i < escapeLayers; i++) {
    const next: string[] = [];
    for (const text of layer) {
      next.push(...[...decodePercents(text), decodeJson(text)].filter((each) => !all.has(each)));
      await yieldTurn();
    }
    for (const text of next) all.add(text);
    layer = next;
  }
  return all;
}

const percents = /(?:%[0-9a-f]{2})+/gi;

/** As UTF-8, and where the bytes are none or have zeros among them, in the other charsets too. */
function decodePercents(text: string): string[] {
  const decode = (charset: BufferEncoding): string =>
    text.replaceAll(percents, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString(charset));
  const decoded = decode('utf8');
  if (text.includes('%00')) return [decoded, decode('utf16le')];
  return decoded.includes('\ufffd') ? [decoded, decode('latin1')] : [decoded];
}

/** Bytes that are no UTF-8 may be Latin-1, and such with zeros among them UTF-16. */
function readBytes(bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  if (bytes.includes(0)) return [text, readUtf16(bytes), readUtf16(bytes.subarray(1))];
  return text.includes('\ufffd') ? [text, bytes.toString('latin1')] : [text];
}

/** Half a unit is left out: with one, Node 24.21 writes past the text's end where the bytes begin at an odd address. */
const readUtf16 = (bytes: Buffer): string =>
  bytes.subarray(0, bytes.length - (bytes.length % 2)).toString('utf16le');

const decodeJson = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-f]{4})|([nrt"\\]))/gi, (_, unit?: string, sign = '') =>
    unit === undefined ? (/[nrt]/.test(sign) ? ' ' : sign) : String.fromCharCode(Number.parseInt(unit, 16)),
  );

/** The shortest runs that can hold eight bytes. */
const hexRun = /[0-9a-f]{16,}/gi;
const base64Run = /[a-z0-9+/_-]{11,}/gi;

function decodeRuns(text: string): string[] {
  const hex = [...text.matchAll(hexRun)].flatMap(([run]) =>
    [0, 1].flatMap((offset) => readBytes(Buffer.from(run.slice(offset), 'hex'))),
  );
  const base64 = [...text.matchAll(base64Run)].flatMap(([run]) =>
    [0, 1, 2, 3].flatMap((offset) => readBytes(Buffer.from(run.slice(offset), 'base64'))),
  );
  return [...hex, ...base64];
}
