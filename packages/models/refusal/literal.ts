/** The source of a pattern that finds the text itself. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Finds the pattern where it is no part of a longer word. */
export const alone = (pattern: string, flags: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])${pattern}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, flags);
