/**
 * What a terminal would obey or a reader would not see: control characters, and those that turn the direction of a line,
 * break it or have no width. The joiners stay: scripts and emoji need them.
 */
const controls = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

export const hasControls = (text: string): boolean => text.search(controls) >= 0;

/** The text on one line, with JSON's escapes in place of what a terminal would obey. JSON stays the same document. */
export const escapeControls = (text: string): string =>
  text.replace(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
