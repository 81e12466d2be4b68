import type { RunEvent } from '../../support/service.ts';

/** The run's own completions, with those of the longest sub-run of each group that works at the same time. */
export function inARow(
  question: string,
  conversations: ReadonlyMap<string, number>,
  events: readonly RunEvent[],
): { inARow: number; subRuns: number } {
  const madeFor = (asked: string) =>
    [...conversations].find(([opening]) => opening.startsWith(asked))?.[1] ?? 0;
  const told = events.filter(({ type }) => type === 'sub_run');
  const longest: number[] = [];
  for (const [i, { status, question: asked }] of told.entries()) {
    if (status !== 'queued') continue;
    if (told[i - 1]?.status !== 'queued') longest.push(0);
    longest.push(Math.max(longest.pop()!, madeFor(String(asked))));
  }
  const subRuns = told.filter(({ status }) => status === 'queued').length;
  return { inARow: longest.reduce((sum, one) => sum + one, madeFor(question)), subRuns };
}
