import type { Checking } from '@errand/outputs';
import type { CitedClaim } from '../citations/cited-claims.ts';
import type { passagesOfClaims } from '../citations/passages-of-claims.ts';
import type { BasisField, Citation, Source } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import type { CheckedClaim } from '../proof.ts';
import type { CheckOf, Citing, Thinking } from '../state.ts';
import type { Present } from './new-answer.ts';

/** What an agent works with, and how its answer is written. */
export interface RunDeps extends AgentDeps {
  form: AnswerForm;
  /** How many rounds of tool calls the run may make. */
  mostRounds: number;
}

/** A statement of an answer that its sources have to bear out. */
export interface AnswerClaim extends CitedClaim {
  /** The JSON Pointer of a value's field. */
  pointer?: string;
}

/** A claim whose support is below the threshold. */
export interface WeakClaim extends CheckedClaim {
  pointer?: string;
}

/** What differs between an answer in prose and one that is a value of a schema. */
export interface AnswerForm {
  /** Absent if the answer is prose. */
  value?: ValueForm;
  /** The question of the final check. Names the claims that are not borne out, as many as `characters` hold. */
  checkPrompt(weak?: readonly WeakClaim[], characters?: number): string;
  /** What the check's last completion may be. */
  checkNote: string;
  claimsOf(answer: string, sources: readonly Source[]): AnswerClaim[];
  /** As `passagesOfClaims`, for claims of this form. */
  passagesOf: typeof passagesOfClaims;
  /** The answer that a text after the check's tools is; empty if the present one stays. */
  newAnswer(text: string, present: Present): string;
  /** The answer as its readers have it. */
  tell(
    deps: AgentDeps,
    state: CheckOf<Thinking> | Citing,
    answer: string,
    signal: AbortSignal,
  ): Promise<ToldAnswer | { misfit: string }>;
}

export interface ToldAnswer {
  text: string;
  citations: Citation[];
  basis?: BasisField[];
  unsupported?: string[];
  uncitedSentences?: number;
}

/** How a value is written. What a model writes of it is a text that has the value and its sources. */
export interface ValueForm {
  /** Its schema for providers that hold a completion to it. */
  format: object;
  /** What of a text does not fit, a line each. Empty if it is a value of the schema with its sources. */
  problemsOf(text: string, checking: Checking): Promise<string[]>;
  /** Whether a text says where its value is from, or need not: then it may be taken for the result, though nobody has asked for it yet. */
  mayBeResult(text: string, sources: readonly Source[]): boolean;
  /** Whether a text has JSON. */
  isJson(text: string): boolean;
  /** The value of a text that fits, as JSON. */
  told(text: string): string;
}
