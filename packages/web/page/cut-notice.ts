/** The text of a page that goes on after it. */
export const withCutNotice = (text: string): string =>
  `${text}\n\n[The page goes on; the rest was not read.]`.trim();
