/** The service does not do what it must. Its message says what was seen instead. */
export class Failed extends Error {
  override readonly name = 'Failed';
}

/** No check can be made: the service cannot be reached, or refuses the key. */
export class Unusable extends Failed {}

/** The check cannot be made here. Its message says what it needs. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

type Result = 'passed' | 'failed' | 'skipped';

export interface Row {
  check: string;
  result: Result;
  seen: string;
  milliseconds: number;
}

/** Throws `Failed` with these words unless the condition holds. */
export function must(condition: boolean, seen: string): asserts condition {
  if (!condition) throw new Failed(seen);
}
