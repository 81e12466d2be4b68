const excerptCharacters = 160;

const keyForm = /errand_[0-9A-Za-z]{8,}/g;

/**
 * A text of the service as one line that may be printed: without characters that steer a terminal or turn the direction of
 * writing, and with *** in place of keys, those that are named and any others of their form.
 */
export function printable(text: string, keys: readonly string[] = []): string {
  const line = text.replace(/[\p{Cc}\p{Cf}]/gu, (found) => (/\s/.test(found) ? ' ' : ''));
  const hidden = keys.reduce((rest, key) => rest.replaceAll(key, '***'), line.replace(keyForm, '***'));
  return hidden.replace(/\s+/g, ' ').trim();
}

/** The beginning of a body, for a row of the table. */
export function excerpt(text: string): string {
  const line = printable(text);
  return line.length > excerptCharacters ? `${line.slice(0, excerptCharacters)}...` : line;
}

/** A connection that fails has its reason in a code, and sometimes an empty message. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return [error.name, error.message, error.message.includes(code) ? '' : code].filter(Boolean).join(' ');
}
