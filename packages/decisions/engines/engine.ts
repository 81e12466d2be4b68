import type { Model, UpstreamDeps, Usage } from '@errand/models';
import type { Taking } from '@errand/money';
import type { DecisionRequest } from '../request.ts';

/** As far as the server reports them. */
type InputTokens = Pick<Usage, 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens'>;

/** What a label reader says of the labels of one question. */
export interface LabelReading {
  /** What all labels have of the probability of all tokens: low if the model would rather write something else. */
  labelMass: number;
  /** How many labels the server did not tell of. They have the most that they can have. */
  labelsOmitted: number;
}

/** The result of one pass of the model. */
export interface Reading extends Partial<InputTokens> {
  /**
   * One array per question, in order, with one probability per option, in order. Each array sums to 1. Undefined for a question
   * that the model refuses to answer.
   */
  probabilities: (number[] | undefined)[];
  /** One for each question, of label readers alone. */
  labels?: LabelReading[];
  /** The time of the request to the model, only of the attempt that succeeded. */
  inferenceMilliseconds: number;
}

/** A request to the model's server, and what its caller is told of it. */
export interface Asking {
  signal: AbortSignal;
  taking: Taking;
  /** Called with each part of the answer. */
  heard?(): void;
  /** The longest time of each request to an upstream. */
  milliseconds?: number;
}

/**
 * Reads all questions in one pass. Throws `at_capacity`, `upstream_misconfigured`, `unreadable_answer`,
 * `context_length_exceeded`, or the signal's reason.
 */
export type Engine = (
  deps: UpstreamDeps,
  model: Model,
  request: DecisionRequest,
  asking: Asking,
) => Promise<Reading>;
