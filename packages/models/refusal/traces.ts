import type { Hidden } from './clean-words.ts';

const rounds = 3;
/** Fewer letters and digits may be in a text by chance. */
const leastCharacters = 8;

/**
 * Whether a secret or a host of ours is in the text in some disguise: other cases, signs or spaces in between, escapes
 * of JSON, URLs or HTML, hexadecimal, or base64, alone or within a longer text.
 */
export function hasTrace(text: string, { secrets, hosts }: Hidden): boolean {
  const views = viewsOf(text);
  const needles = [...secrets.flatMap(formsOf), ...hosts.filter((host) => host.includes('.')).map(skeleton)];
  return needles.some(
    (needle) => needle.length >= leastCharacters && views.some((view) => view.includes(needle)),
  );
}

/** The text as it is read after each round of unescaping. */
function viewsOf(text: string): string[] {
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

const skeleton = (text: string): string =>
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
