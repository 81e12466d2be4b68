/** Far longer than any invocation: the worker shortens it per message, so that a death is noticed within a minute. */
export const visibilityTimeoutSeconds = 1_000;

/** SQS allows no more. Deaths are counted in the run; throttles and waiting for a lease raise receive counts too. */
export const maxReceiveCount = 1_000;

export const deadLetterVisibilitySeconds = 360;

/** Two weeks, SQS's longest: a message becomes a dead letter sooner than it is forgotten. */
export const retentionSeconds = 1_209_600;
