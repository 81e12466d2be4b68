import type { Fields } from '../chat-messages.ts';

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a field; empty if the field is no text. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
