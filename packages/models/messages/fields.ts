/** The text of a field; empty if the field is no text. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
