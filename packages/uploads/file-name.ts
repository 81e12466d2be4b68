import path from 'node:path';

const shownCharacters = 120;
const keyCharacters = 80;

/**
 * A caller's file name as it may be shown, stored as text and put into a message: the last part of a path, valid
 * Unicode, no control or direction-changing characters, bounded. Empty if nothing is left.
 */
export function shownName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const visible = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return /^\.*$/.test(visible) ? '' : shorten(visible, shownCharacters);
}

/** Cuts the middle part: the extension decides how a file is read. */
function shorten(name: string, maximum: number): string {
  const characters = [...name];
  if (characters.length <= maximum) return name;
  const extension = [...path.posix.extname(name)].slice(0, maximum / 2);
  return [...characters.slice(0, maximum - extension.length - 1), '…', ...extension].join('');
}

/** The name in a bucket's key: characters that nothing has to escape. */
export function keyName(shown: string): string {
  const extension = safe(extensionOf(shown));
  const base = safe(path.posix.basename(shown, path.posix.extname(shown))).slice(0, keyCharacters);
  return `${base || 'file'}${extension}`;
}

const safe = (text: string) => text.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '_');

/** With its dot and in lower case; empty for a name without one. */
export function extensionOf(shown: string): string {
  const extension = path.posix.extname(shown).toLowerCase();
  return extension === '.' ? '' : extension;
}
