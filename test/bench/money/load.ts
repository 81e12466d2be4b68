/** What one process does. */
export interface CallerLoad {
  /** `calls` are let in and settled, `work` sets aside and settles as a run's rounds do, `requests` cost nothing and are counted alone. */
  kind: 'calls' | 'work' | 'requests';
  accountIds: string[];
  /** Environments of Lambda that the process stands for. */
  environments: number;
  /** Of each environment: calls in flight at the same time; of `requests`, how many begin in a second. */
  atOnce: number;
  /** How long the model takes, from the least to the most. */
  modelMilliseconds: [number, number];
  /** Requests that the account may send in a window. */
  rateLimitRequests: number;
  /** What comes before is not counted. */
  warmUpMilliseconds: number;
  milliseconds: number;
}

/** Times in milliseconds. */
export interface CallerResult {
  letIn: number[];
  settle: number[];
  /** Calls that were settled in time. */
  settled: number;
  /** Requests that were refused for their rate. */
  refused: number;
  /** Requests that failed, such as after twelve collisions. */
  failed: number;
  /** Settlements that were deferred to the queue. */
  deferred: number;
  /** Attempts to write a charge that failed, in a settlement that may have succeeded later. */
  failedAttempts: number;
  /** Commands that were given to the store's client, and the requests that it sent for them. */
  commands: number;
  attempts: number;
}

export const noResult = (): CallerResult => ({
  letIn: [],
  settle: [],
  settled: 0,
  refused: 0,
  failed: 0,
  deferred: 0,
  failedAttempts: 0,
  commands: 0,
  attempts: 0,
});
