import type { Difference } from './differences.ts';

export interface Result {
  file: string;
  name: string;
  state: 'passed' | 'failed' | 'skipped';
}

export interface Comparison {
  passed: number;
  /** Tests that failed as the list says. */
  known: { result: Result; reason: string }[];
  unknown: Result[];
  /** Tests of the list that ran and passed: the list is out of date. */
  outdated: Result[];
}

/** Tells the failures that are known to be moto's from those that are not. */
export function compare(results: readonly Result[], differences: readonly Difference[]): Comparison {
  const comparison: Comparison = { passed: 0, known: [], unknown: [], outdated: [] };
  for (const result of results) {
    const { file, name, state } = result;
    const difference = differences.find((each) => each.file === file && each.tests.includes(name));
    if (state === 'passed') comparison.passed++;
    if (state === 'passed' && difference) comparison.outdated.push(result);
    if (state === 'failed' && difference) comparison.known.push({ result, reason: difference.reason });
    if (state === 'failed' && !difference) comparison.unknown.push(result);
  }
  return comparison;
}
