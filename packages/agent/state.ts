import type { ToolCall } from '@errand/models';
import type { Cost } from '@errand/money';
import type { Fetched } from '@errand/web';
import type {
  AgentEvent,
  Citation,
  ConversationMessage,
  ForcedRead,
  LeftOut,
  ProvenClaims,
  Source,
} from './data.ts';

/**
 * The checkpoint of a run, as plain data. A worker that takes over continues from it. `phase` is the next thing to
 * do. `calls` has the tool calls that are not answered yet; the events of the first `announced` of them are
 * committed.
 */
export interface AgentState {
  phase: 'start' | 'forced' | 'loop' | 'check' | 'ended';
  step: number;
  stepOpen: boolean;
  /** Rounds of tool calls in the current phase. */
  rounds: number;
  /** Completions so far. The ids of their charges contain this number. */
  completions: number;
  forced: ForcedRead[];
  /** What the forced reads gave. Once the loop has begun, only the caller's own upload. */
  readings: string[];
  /** How many completions the model had made when it was first given material from outside. Absent before that. */
  outsideSince?: number;
  /** The names of the saved values that the run has read or saved. */
  knownValues: string[];
  /** What the model's calls have fetched. */
  fetched: Fetched;
  /** What the run has read and found, by number. */
  sources: Source[];
  /** The sizes of the files that the run has saved, in bytes. */
  savedFiles: Record<string, number>;
  /** The names under which the run has saved values after it had read material from outside. */
  savedOutside: string[];
  messages: ConversationMessage[];
  calls: ToolCall[];
  announced: number;
  answer: string;
  /** What is there of an answer that was cut at its greatest length, and how often it was continued. */
  partial?: { text: string; continuations: number };
  /** The probabilities that passages support their claims, as far as they are proved. */
  proven?: ProvenClaims;
  /** How many passes have proved claims. The ids of their charges contain this number. */
  proofPasses?: number;
  /** The claims of the loop's answer were proved, as far as that was possible. */
  isProved?: true;
  /** What was left out of results that were condensed, in characters, by the ids of the calls. */
  leftOut?: LeftOut;
  /** The answer that the check has left, until its citations are made. */
  answerToCite?: string;
  /** The last completion was empty. The next one is not asked for again. */
  wasEmpty?: true;
  /** The id of the call whose arguments were cut. */
  cutCall?: string;
  /** Set once the run had to answer with what it has. */
  stopReason?: StopReason;
  /** Set while the run waits for a provider that fails. */
  waiting?: Waiting;
}

/** Why a run answered before its model was ready to: the cap of rounds, or the end of what it may spend. */
export type StopReason = 'rounds' | 'credits';

/** How long and how often a run has waited since a provider last answered it. */
export interface Waiting {
  sinceMilliseconds: number;
  pauses: number;
  pausedMilliseconds: number;
}

export const initialState: AgentState = {
  phase: 'start',
  step: 0,
  stepOpen: false,
  rounds: 0,
  completions: 0,
  forced: [],
  readings: [],
  knownValues: [],
  fetched: { bytes: 0, hosts: [] },
  sources: [],
  savedFiles: {},
  savedOutside: [],
  messages: [],
  calls: [],
  announced: 0,
  answer: '',
};

/** One commit: events, their costs, and the state after them. */
export interface Progress {
  events: AgentEvent[];
  costs: Cost[];
  state: AgentState;
  /** The run waits for a provider: whoever works on it stops here, and goes on from the state after this time. */
  pauseMilliseconds?: number;
  /** With `done`: why the run answered before its model was ready to. */
  stopReason?: StopReason;
  /** With `done`: what the answer cites. */
  citations?: readonly Citation[];
}
