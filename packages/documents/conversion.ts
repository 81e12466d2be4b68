export interface ConversionOptions {
  outputCharacters: number;
  /** The charset that the sender names. */
  charset?: string;
}

export interface Conversion {
  text: string;
  title?: string;
  pages?: number;
  truncatedCharacters?: number;
}

/** The text. If it was cut, a last line says how many characters are missing. */
export const convertedText = ({ text, truncatedCharacters }: Conversion): string =>
  truncatedCharacters ? `${text}\n\n[${truncatedCharacters} more characters were cut here.]` : text;

/** Reads one format. It runs in the worker. */
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
