import path from 'node:path';

const shownCharacters = 120;
const keyCharacters = 80;
const readCharacters = 1_000;

/**
 * Makes a caller's file name safe to show, to store and to put into a message: the last part of its path, valid
 * Unicode, without control or direction-changing characters, 120 characters at most. Empty if nothing is left.
 */
export function shownName(sentName: string): string {
  const start = Math.max(sentName.lastIndexOf('/'), sentName.lastIndexOf('\\')) + 1;
  const baseName = withoutMiddle(sentName.slice(start)).toWellFormed();
  const visible = baseName.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return /^\.*$/.test(visible) ? '' : shorten(visible, shownCharacters);
}

/** A longer name is read at its ends only. No more of it is shown. */
const withoutMiddle = (name: string): string =>
  name.length <= 2 * readCharacters ? name : name.slice(0, readCharacters) + name.slice(-readCharacters);

/** Cuts out the middle and keeps the extension, which decides how a file is read. */
function shorten(name: string, maximum: number): string {
  const characters = [...name];
  if (characters.length <= maximum) return name;
  const extension = [...path.posix.extname(name)].slice(0, maximum / 2);
  return [...characters.slice(0, maximum - extension.length - 1), '…', ...extension].join('');
}

/** The file's name in the bucket, in characters that need no escape anywhere. */
export function keyName(filename: string): string {
  const extension = safe(extensionOf(filename));
  const base = safe(path.posix.basename(filename, path.posix.extname(filename))).slice(0, keyCharacters);
  return `${base || 'file'}${extension}`;
}

const safe = (text: string) => text.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '_');

/** The extension with its dot, in lower case; empty for a name without one. */
export function extensionOf(filename: string): string {
  const extension = path.posix.extname(filename).toLowerCase();
  return extension === '.' ? '' : extension;
}
