import type { Reading } from '@errand/passages';

/** Shows a page whole, however long it is. */
export const wholeReading: Reading = { wholeCharacters: Number.POSITIVE_INFINITY, shownCharacters: 0 };
