import type { Model, UpstreamDeps } from '@errand/models';
import type { DecisionRequest } from '../request.ts';

/** What one pass of the model said. */
export interface Reading {
  /** For each question, in order, one probability an option, in order; each question's sum to 1. */
  probabilities: number[][];
  /** Absent where the server does not say. */
  inputTokens?: number;
  /** The model's request alone, of the try that succeeded. */
  inferenceMilliseconds: number;
}

/**
 * Reads all questions in one pass. Throws `at_capacity`, `upstream_misconfigured`, `unreadable_answer`,
 * `context_length_exceeded`, or the signal's reason.
 */
export type Engine = (
  deps: UpstreamDeps,
  model: Model,
  request: DecisionRequest,
  signal: AbortSignal,
) => Promise<Reading>;
