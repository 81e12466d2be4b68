import type { NewRun } from '@errand/client';

/** Which calls people are asked about before they are made. The rules of `approve` as JSON, or its one word. */
export const approveWords = {
  '': 'never',
  writes: 'before it changes anything',
  '["writes","auto"]': 'only where a decision model doubts that I want it (costs extra)',
} as const;

export type Approve = keyof typeof approveWords;

export const effortWords: Record<NonNullable<NewRun['effort']> | '', string> = {
  '': 'as usual',
  low: 'low: few rounds, the claims unchecked',
  medium: 'medium',
  high: 'high: parts of the question are worked on beside each other (costs more)',
};

/** A field that is a word or JSON, as a form has it; empty for none. */
export const writeField = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

export const readField = (text: string): unknown =>
  text === '' ? undefined : /^[[{]/.test(text) ? JSON.parse(text) : text;
