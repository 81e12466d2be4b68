export interface ConversionOptions {
  outputCharacters: number;
  /** What the sender says that a text is encoded in. */
  charset?: string;
}

export interface Conversion {
  text: string;
  title?: string;
  pages?: number;
  truncatedCharacters?: number;
}

/** The text, with a line that says how much is missing, for whoever reads it as it stands. */
export const convertedText = ({ text, truncatedCharacters }: Conversion): string =>
  truncatedCharacters ? `${text}\n\n[${truncatedCharacters} more characters were cut here.]` : text;

/** What a reader of one format takes and gives; it runs in the worker. */
export type ReadFormat = (
  bytes: Uint8Array,
  options: ConversionOptions,
  extension: string,
) => Promise<Conversion>;

export function createConversion(
  result: { text: string; truncatedCharacters: number },
  details: { title?: string | undefined; pages?: number } = {},
): Conversion {
  const title = details.title?.replace(/\s+/g, ' ').trim();
  return {
    text: result.text,
    ...(title && { title: title.slice(0, 500) }),
    ...(details.pages !== undefined && { pages: details.pages }),
    ...(result.truncatedCharacters > 0 && { truncatedCharacters: result.truncatedCharacters }),
  };
}
