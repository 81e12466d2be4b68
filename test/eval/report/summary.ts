import type { Evaluation } from '../evaluate.ts';
import { mean } from './table.ts';

/** A line for each service, and how they compare where there are two. */
export function summary(evaluations: readonly Evaluation[]): string {
  const lines = evaluations.map(({ name, scores, seconds, peakMegabytes }) => {
    const parts = [
      `${scores.length} tasks`,
      `${seconds.toFixed(0)} s`,
      peakMegabytes !== undefined && `peak memory of the service ${peakMegabytes} MB`,
    ];
    return `${name}: ${parts.filter(Boolean).join('; ')}.`;
  });
  const [before, now] = evaluations.map(longInputTokens);
  if (before && now)
    lines.push(
      `Input tokens of the tasks with long documents: ${Math.round((100 * now) / before)} % of those of ${evaluations[0]!.name}.`,
    );
  return lines.join('\n');
}

const longInputTokens = ({ scores }: Evaluation): number =>
  mean(
    scores.filter(({ task }) => task.kind === 'long-document'),
    ({ inputTokens }) => inputTokens,
  );
