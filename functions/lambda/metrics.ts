import { escapeControls } from '@errand/platform';

/** The metrics of log lines with one message. A metric is a field with one number, or with up to 100. */
interface Counted {
  dimensions: readonly string[];
  metrics: Readonly<Record<string, 'Count' | 'Milliseconds' | 'None'>>;
  /** Metrics that are also summed over all values of the dimensions: an alarm may add up ten metrics at most. */
  summed?: readonly string[];
}

/** The one dimension of a metric that is summed over the whole stage. */
export const wholeStage = { scope: 'stage' } as const;

export const countedLines: Readonly<Record<string, Counted>> = {
  request: {
    dimensions: ['area'],
    metrics: { requests: 'Count', refused: 'Count', failed: 'Count', milliseconds: 'Milliseconds' },
    summed: ['requests', 'failed'],
  },
  charged: {
    dimensions: ['kind'],
    metrics: { charges: 'Count', inputTokens: 'Count', outputTokens: 'Count', amountNanoEuro: 'None' },
  },
  'budget nearly spent': { dimensions: ['budget'], metrics: { softLimits: 'Count' } },
  'webhook sent': { dimensions: ['outcome'], metrics: { webhooks: 'Count' } },
  'webhook endpoint switched off': { dimensions: ['reason'], metrics: { webhooksOff: 'Count' } },
  'run ended': { dimensions: ['status'], metrics: { runs: 'Count' } },
  'document not converted': {
    dimensions: ['reason'],
    metrics: { notConverted: 'Count' },
    summed: ['notConverted'],
  },
  'decision labels read': { dimensions: ['model'], metrics: { labelMass: 'None' } },
};

/**
 * Adds CloudWatch's embedded metric format to a log line if its message is in `countedLines`. CloudWatch reads metrics
 * from such lines, so counting costs no request. The line must reach the log unchanged.
 */
export function withMetrics(line: string, namespace: string): string {
  const fields = JSON.parse(line) as { message: string; time: string };
  const counted = countedLines[fields.message];
  if (!counted) return line;
  const { dimensions, metrics, summed = [] } = counted;
  const written = Object.entries(metrics)
    .filter(([name]) => name in fields)
    .map(([Name, Unit]) => ({ Name, Unit }));
  const sums = written.filter(({ Name }) => summed.includes(Name));
  const directive = (names: readonly string[], Metrics: typeof written) => ({
    Namespace: namespace,
    Dimensions: [names],
    Metrics,
  });
  const counting = {
    _aws: {
      Timestamp: Date.parse(fields.time),
      CloudWatchMetrics: [
        directive(dimensions, written),
        ...(sums.length > 0 ? [directive(Object.keys(wholeStage), sums)] : []),
      ],
    },
    ...(sums.length > 0 && wholeStage),
    ...fields,
  };
  return escapeControls(JSON.stringify(counting));
}
