/** The work queue, its dead letters and the queue of webhooks, in the cloud and on one machine. */
export const queueNumbers = {
  /** Far longer than any invocation. The worker shortens it per message, so that a death is noticed within a minute. */
  visibilityTimeoutSeconds: 1_000,
  /** SQS's own maximum. Throttles and waits for a lease raise receive counts too, so runs count their own deaths. */
  maxReceiveCount: 1_000,
  deadLetterVisibilitySeconds: 360,
  /** Two weeks, SQS's own maximum: a message becomes a dead letter before the queue forgets it. */
  retentionSeconds: 14 * 24 * 60 * 60,
  /** Longer than an invocation that sends webhooks. Its messages are pointers, which are tried until they work. */
  webhookVisibilitySeconds: 90,
} as const;
