import type { Hidden } from './clean-words.ts';

const rounds = 3;
/** Fewer letters and digits may be in a text by chance. */
export const leastCharacters = 8;
/** So many letters and digits of a secret in a row tell too much of it. */
const windowCharacters = 10;

interface Needles {
  windows: ReadonlySet<string>;
  whole: readonly string[];
}

const needlesOf = new WeakMap<Hidden, Needles>();

/**
 * Whether a host of ours, or ten letters and digits of a secret in a row, are in the text in some disguise: other cases,
 * signs or spaces in between, escapes of JSON, URLs or HTML, hexadecimal, or base64, alone or within a longer text.
 */
export function hasTrace(text: string, hidden: Hidden): boolean {
  const { windows, whole } = needlesOf.get(hidden) ?? makeNeedles(hidden);
  return viewsOf(text).some(
    (view) => whole.some((needle) => view.includes(needle)) || windowsOf(view).some((at) => windows.has(at)),
  );
}

function makeNeedles(hidden: Hidden): Needles {
  const { secrets, hosts } = hidden;
  const forms = secrets.flatMap(formsOf);
  const short = forms.filter((form) => form.length < windowCharacters);
  const names = hosts.filter((host) => host.includes('.')).map(skeleton);
  const needles = {
    windows: new Set(forms.flatMap(windowsOf)),
    whole: [...short, ...names].filter((needle) => needle.length >= leastCharacters),
  };
  needlesOf.set(hidden, needles);
  return needles;
}

const windowsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - windowCharacters + 1) }, (_, at) =>
    text.slice(at, at + windowCharacters),
  );

/** The text as it is read after each round of unescaping. */
export function viewsOf(text: string): string[] {
  const views = [skeleton(text)];
  let rest = text;
  for (let round = 0; round < rounds; round++) {
    const next = decode(rest);
    if (next === rest) break;
    rest = next;
    views.push(skeleton(rest));
  }
  return views;
}

export const skeleton = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');

const decode = (text: string): string =>
  text
    .replace(/%([0-9a-f]{2})/gi, fromHex)
    .replace(/\\{1,8}u([0-9a-f]{4})/gi, fromHex)
    .replace(/\\{1,8}u\{([0-9a-f]{1,6})\}/gi, fromHex)
    .replace(/\\{1,8}x([0-9a-f]{2})/gi, fromHex)
    .replace(/\\{1,8}[nrtbf]/g, ' ')
    .replace(/&#x([0-9a-f]{1,6});/gi, fromHex)
    .replace(/&#(\d{1,7});/g, (_, digits: string) => fromCode(Number(digits)))
    .replace(/&(?:quot|amp|lt|gt|apos);/gi, '&');

const fromHex = (_: string, digits: string): string => fromCode(Number.parseInt(digits, 16));

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [secret, bytes.toString('hex'), ...[0, 1, 2].map((before) => base64Within(bytes, before))].map(
    skeleton,
  );
}

/** The part of a text's base64 that depends on the secret alone, with so many bytes before it in their group of three. */
function base64Within(bytes: Buffer, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
