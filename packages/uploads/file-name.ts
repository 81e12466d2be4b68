import path from 'node:path';

const shownCharacters = 120;
const keyCharacters = 80;

/**
 * Makes a caller's file name safe to show, to store and to put into a message: the last part of its path, valid
 * Unicode, without control or direction-changing characters, 120 characters at most. Empty if nothing is left.
 */
export function shownName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const visible = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return /^\.*$/.test(visible) ? '' : shorten(visible, shownCharacters);
}

/** Cuts out the middle and keeps the extension, which decides how a file is read. */
function shorten(name: string, maximum: number): string {
  const characters = [...name];
  if (characters.length <= maximum) return name;
  const extension = [...path.posix.extname(name)].slice(0, maximum / 2);
  return [...characters.slice(0, maximum - extension.length - 1), '…', ...extension].join('');
}

/** The file's name in the bucket, in characters that need no escape anywhere. */
export function keyName(shown: string): string {
  const extension = safe(extensionOf(shown));
  const base = safe(path.posix.basename(shown, path.posix.extname(shown))).slice(0, keyCharacters);
  return `${base || 'file'}${extension}`;
}

const safe = (text: string) => text.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '_');

/** The extension with its dot, in lower case; empty for a name without one. */
export function extensionOf(shown: string): string {
  const extension = path.posix.extname(shown).toLowerCase();
  return extension === '.' ? '' : extension;
}
