/** What CloudWatch counts in log lines with one message. A metric is a field with a number, or with up to 100 numbers. */
interface Counted {
  dimensions: readonly string[];
  metrics: Readonly<Record<string, 'Count' | 'Milliseconds' | 'None'>>;
}

export const countedLines: Readonly<Record<string, Counted>> = {
  request: {
    dimensions: ['area'],
    metrics: { requests: 'Count', refused: 'Count', failed: 'Count', milliseconds: 'Milliseconds' },
  },
  charged: {
    dimensions: ['kind'],
    metrics: { charges: 'Count', inputTokens: 'Count', outputTokens: 'Count', amountNanoEuro: 'None' },
  },
  'run ended': { dimensions: ['status'], metrics: { runs: 'Count' } },
  'decision labels read': { dimensions: ['model'], metrics: { labelMass: 'None' } },
};

/**
 * Adds CloudWatch's embedded metrics to a log line whose message is counted. CloudWatch makes metrics of such lines
 * by itself, so counting costs no request. The line must reach the log unchanged.
 */
export function withMetrics(line: string, namespace: string): string {
  const fields = JSON.parse(line) as { message: string; time: string };
  const counted = countedLines[fields.message];
  if (!counted) return line;
  const Metrics = Object.entries(counted.metrics)
    .filter(([name]) => name in fields)
    .map(([Name, Unit]) => ({ Name, Unit }));
  return JSON.stringify({
    _aws: {
      Timestamp: Date.parse(fields.time),
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [counted.dimensions], Metrics }],
    },
    ...fields,
  });
}
