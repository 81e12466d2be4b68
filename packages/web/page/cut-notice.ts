/** The text of a page that was cut, with a notice at its end. */
export const withCutNotice = (text: string): string =>
  `${text}\n\n[The page goes on; the rest was not read.]`.trim();
