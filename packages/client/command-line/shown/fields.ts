import type { Part } from './paint.ts';

/** The fields of a thing for people, a line each. What is undefined has no line. */
export const fieldLines = (fields: Record<string, unknown>): Part[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
