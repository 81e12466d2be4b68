import type { WrittenPlace } from '@errand/text';

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
  /** Where in the text pages, slides or sheets begin. */
  places?: readonly WrittenPlace[];
  /** The names of the columns, where the text is rows that no heading of a table goes with. */
  columns?: string;
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
  result: { text: string; truncatedCharacters: number; places?: readonly WrittenPlace[] },
  details: { title?: string; pages?: number; columns?: string } = {},
): Conversion {
  const title = details.title?.replace(/\s+/g, ' ').trim();
  const { places = [] } = result;
  return {
    text: result.text,
    ...(title && { title: title.slice(0, 500) }),
    pages: details.pages,
    columns: details.columns || undefined,
    ...(places.length > 0 && { places }),
    ...(result.truncatedCharacters > 0 && { truncatedCharacters: result.truncatedCharacters }),
  };
}
