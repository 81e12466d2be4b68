import { escapeControls } from '@errand/platform';

type Unit = 'Count' | 'Milliseconds' | 'None';

/** The metrics of log lines with one message. */
interface Counted {
  /** A metric that is 1 for each line. */
  lines?: string;
  /** Metrics that are fields of the line, each with one number, or with up to 100. */
  fields?: Readonly<Record<string, Unit>>;
  /** What of these the line does not say itself. */
  derived?(line: Readonly<Record<string, unknown>>): Record<string, number>;
  /** The field by whose values the metrics are kept apart. Each value is billed as a metric of its own. */
  by?: string;
  /** Metrics that are counted over the whole stage too: an alarm may add up ten metrics at most. */
  summed?: readonly string[];
}

/** Codes that no text of a caller brings about. */
const codesOfSetUp: ReadonlySet<unknown> = new Set([
  'invalid_api_key',
  'account_deactivated',
  'unsupported_country_region_territory',
  'model_not_found',
  'unknown_url',
  'DeploymentNotFound',
]);

/** Some providers refuse with 403 or 404 what a caller has written: a text that they judge, a part that no server of theirs takes. */
const mayBeForTheText = ({ status, code }: Readonly<Record<string, unknown>>): boolean =>
  (status === 403 || status === 404) && !codesOfSetUp.has(code);

/** The one dimension of a metric that is counted over the whole stage, as all are that are not kept apart. */
export const wholeStage = { scope: 'stage' } as const;

/**
 * What the dashboard or an alarm reads, and nothing else, because CloudWatch bills each metric. The number of a metric's
 * values is counted as well: `failed`, which is 0 or 1, tells how many requests there were.
 */
export const countedLines: Readonly<Record<string, Counted>> = {
  request: { fields: { failed: 'Count', milliseconds: 'Milliseconds' }, by: 'area', summed: ['failed'] },
  charged: { fields: { inputTokens: 'Count', outputTokens: 'Count', amountNanoEuro: 'None' } },
  'budget nearly spent': { lines: 'softLimits', by: 'budget' },
  'webhook sent': { lines: 'webhooks', by: 'outcome' },
  'webhook not sent': { lines: 'webhooksNotSent' },
  'webhook endpoint switched off': { lines: 'webhooksOff', by: 'reason' },
  'schedules looked after': { fields: { lateSeconds: 'None' } },
  'run worked on': { lines: 'runs', by: 'outcome' },
  'run given up': { lines: 'runs', by: 'outcome' },
  'run interrupted': { lines: 'interrupted' },
  'message failed': { lines: 'interrupted' },
  'document not converted': { lines: 'notConverted' },
  'upstream does not accept our set-up': {
    fields: { notAccepted: 'Count', notTaken: 'Count' },
    derived: (line) => ({ [mayBeForTheText(line) ? 'notTaken' : 'notAccepted']: 1 }),
    by: 'model',
    summed: ['notAccepted', 'notTaken'],
  },
  'decision labels read': { fields: { labelMass: 'None' }, by: 'model' },
};

/** The lines of containers alone: a stage without any has none of these metrics. */
export const linesOfContainers: Readonly<Record<string, Counted>> = {
  'work in a container': { fields: { open: 'Count' }, by: 'area' },
};

/**
 * Adds CloudWatch's embedded metric format to a log line if its message is counted. CloudWatch reads metrics
 * from such lines, so counting costs no request. The line must reach the log unchanged.
 */
export function withMetrics(line: string, namespace: string): string {
  const told = JSON.parse(line) as { message: string; time: string };
  const counted = countedLines[told.message] ?? linesOfContainers[told.message];
  if (!counted) return line;
  const fields = { ...told, ...counted.derived?.(told) };
  const { lines, by, summed = [] } = counted;
  const units = { ...(lines !== undefined && { [lines]: 'Count' }), ...counted.fields };
  const written = Object.entries(units)
    .filter(([name]) => name === lines || name in fields)
    .map(([Name, Unit]) => ({ Name, Unit }));
  const sums = by === undefined ? written : written.filter(({ Name }) => summed.includes(Name));
  const directive = (name: string, Metrics: typeof written) => ({
    Namespace: namespace,
    Dimensions: [[name]],
    Metrics,
  });
  const counting = {
    _aws: {
      Timestamp: Date.parse(fields.time),
      CloudWatchMetrics: [
        ...(by === undefined ? [] : [directive(by, written)]),
        ...(sums.length > 0 ? Object.keys(wholeStage).map((name) => directive(name, sums)) : []),
      ],
    },
    ...(sums.length > 0 && wholeStage),
    ...(lines !== undefined && { [lines]: 1 }),
    ...fields,
  };
  return escapeControls(JSON.stringify(counting));
}
