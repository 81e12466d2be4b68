import type { ToolCall } from '@errand/models';
import type { Cost } from '@errand/money';
import type { Fetched } from '@errand/web';
import type {
  AgentEvent,
  AskedCall,
  BasisField,
  Citation,
  ConversationMessage,
  ForcedRead,
  Guarded,
  LeftOut,
  ProvenClaims,
  Source,
  SubRun,
} from './data.ts';

/**
 * Where a run stands between two commits. The phase is what is done next:
 *
 * | phase | what is done next | in | phases after it |
 * |---|---|---|---|
 * | `start` | missing tools are reported, and the files that are read before the model sees the question are found | `begin.ts` | `start`, `forced`, `open` |
 * | `forced` | the next of these files is read | `begin.ts` | `forced`, `open` |
 * | `open` | the step of the loop or of the check is announced | `think.ts` | `think`, `act` |
 * | `think` | the model is asked | `think.ts` | `think`, `act`, `open` of the check, `cite`, `ended` |
 * | `act` | the calls of the model are announced, made and answered | `act.ts` | `act`, `think`, `ended` |
 * | `cite` | what the check has changed is proved, and the citations are made | `finish.ts` | `cite`, `ended` |
 *
 * What is announced next joins the commit before it (`run-agent.ts`): `open` is stored only where a run is stopped there. The loop ends with an answer. The check confirms or mends it. `checkpoint.ts` stores a state and reads it.
 */
export type AgentState = Starting | Forced | Opening | Thinking | Acting | Citing | Ended;

type GuardedState = Guarded['state'];

/** What a run has in every phase. */
export interface RunSoFar extends GuardedState {
  step: number;
  /** Completions so far. The ids of their charges contain this number. */
  completions: number;
  /** What the forced reads gave. Once the loop has begun, only the caller's own upload. */
  readings: string[];
  /** What the model's calls have fetched. */
  fetched: Fetched;
  /** What the run has read and found, by number. */
  sources: Source[];
  /** The sizes of the files that the run has saved, in bytes. */
  savedFiles: Record<string, number>;
  /** The runs that work on questions of this one, in the order of the calls that asked for them. A run that loses it starts them again, if it has not read their reports. */
  subRuns?: readonly SubRun[] | undefined;
  /** Set while the run waits for a provider that fails, or for sub-runs. */
  waiting?: Waiting;
}

export interface Starting extends RunSoFar {
  phase: 'start';
  followed?: Followed;
}

/** `readings` has the texts of the files that are read already. */
export interface Forced extends RunSoFar {
  phase: 'forced';
  forced: ForcedRead[];
  followed?: Followed;
}

/** The conversation, as the model is sent it. */
export interface Conversation {
  messages: ConversationMessage[];
  /** What was left out of results that were condensed, in characters, by the ids of the calls. */
  leftOut?: LeftOut;
  /** Notes that the model reads under the results of calls, by the ids of the calls. */
  notes?: Readonly<Record<string, string>>;
  /** Rounds of tool calls in this part. */
  rounds: number;
}

/** The conversation that a run goes on from. `followRun` takes it from the run before, `takeUp` begins with it. */
export interface Followed extends Conversation, Tried {
  /** The calls of the last message that have no answer. */
  calls: ToolCall[];
  /** Those of them that the caller was asked to make or to approve. */
  asked: AskedCall[];
  /** Whether the run before had ended because of these calls. */
  asks: boolean;
  /** The texts of the caller's files of earlier runs. */
  readings: string[];
  /** Of the calls that have no answer, if the run before was stopped at them: as in `Acting`. */
  cutCall?: string;
  judged?: Acting['judged'];
  /** Set if the run before was in its check. `schema` is the digest of the one that its answer had to fit. */
  check?: Omit<InCheck, 'part'> & { schema?: string };
  /** The last message of the conversation asks for a value. */
  writing?: true;
}

interface InConversation extends RunSoFar, Conversation {}

interface InLoop {
  part: 'loop';
}

interface InCheck {
  part: 'check';
  /** The loop's answer. */
  answer: string;
  /** Set if the loop had to answer with what it had. */
  stopReason?: StopReason;
  /** Set if the answer is a value that was found to fit its schema. */
  fits?: true;
  /** The claims of the loop's answer were proved, as far as that was possible. */
  isProved?: true;
  /** The probabilities that passages support their claims, as far as they are proved. */
  proven?: ProvenClaims;
  /** How many passes have proved claims. The ids of their charges contain this number. */
  proofPasses?: number;
}

type InPart<Phase> = (InConversation & InLoop & Phase) | (InConversation & InCheck & Phase);

export type Opening = InPart<
  {
    phase: 'open';
    /** The calls that come next, in a run that goes on in the middle of a round. */
    calls?: ToolCall[];
    /** The digests of those of them that the caller has approved. */
    approved?: string[];
    cutCall?: string;
    judged?: Acting['judged'];
  } & Tried
>;

/** A value that is being written. */
export interface Writing {
  /** How often one that did not fit went back to the model. */
  repairs: number;
  /** Set if the loop had to write it with what it had. */
  stopReason?: Exclude<StopReason, 'schema'>;
}

/** What the model was given another try for, which it is given a bounded number of times. */
export interface Tried {
  /** Set if the last completion was empty. If the next one is empty too, no further one is asked for. */
  wasEmpty?: true;
  /** Set once a completion was used up by thinking, until the model writes or calls something. It is not asked for a third time. */
  gotRoom?: true;
  /** How often in a row the model has written a call as text. */
  writtenCalls?: number;
}

export type Thinking = InPart<
  {
    phase: 'think';
    /** An answer that was cut at its greatest length, as far as it is written, and how often it was continued. */
    partial?: { text: string; continuations: number };
    /** In the loop: the value of a run with a schema is being written. In the check: a new one is. */
    writing?: Writing;
  } & Tried
>;

export type Acting = InPart<{
  phase: 'act';
  /** The calls that are not answered yet. */
  calls: ToolCall[];
  /** How many of `calls`, from the first, have their `tool_call` event committed. */
  announced: number;
  /** How many of `calls`, from the first, act and may have been sent. Absent if none. A worker that takes the run over does not send these again. */
  begun?: number;
  /** The id of the call whose arguments were cut. */
  cutCall?: string;
  /** The digests of the calls that the caller has approved. */
  approved?: string[];
  /** The probabilities that the question asks for calls, by the ids of the calls. */
  judged?: Readonly<Record<string, number>>;
}>;

/** `messages` ends with the answer. */
export type Citing = RunSoFar &
  Conversation &
  Omit<InCheck, 'isProved'> & { phase: 'cite'; answerToCite: string };

export interface Ended extends RunSoFar {
  phase: 'ended';
  stopReason?: StopReason;
  /** What another run can go on from. Absent where the run failed: its last checkpoint has it. */
  conversation?: Conversation;
  /** The calls because of which the run asks its caller: they have no answer. */
  calls?: ToolCall[];
  /** Those of them that the caller is asked to make or to approve. */
  asked?: AskedCall[];
}

/** The states of one part of the run. */
export type LoopOf<State extends AgentState> = Extract<State, InLoop>;
export type CheckOf<State extends AgentState> = Extract<State, InCheck>;

/** Why a run ended before its model was ready to: the cap of rounds, the end of what it may spend, or no value that fits its schema. */
export type StopReason = 'rounds' | 'credits' | 'schema';

/** How long and how often a run has waited since a provider last answered it. */
interface Waiting {
  sinceMilliseconds: number;
  pauses: number;
  pausedMilliseconds: number;
  /** When the run goes on without the provider, at the latest. Absent in checkpoints of earlier releases. */
  untilMilliseconds?: number;
}

export const initialState: Starting = {
  phase: 'start',
  step: 0,
  completions: 0,
  readings: [],
  outsideSince: undefined,
  knownValues: [],
  fetched: { bytes: 0, hosts: [] },
  sources: [],
  savedFiles: {},
  savedOutside: [],
};

/** The type with all its fields required, so that a copy cannot leave out an optional field. */
export type Whole<State> = State extends unknown ? { [Field in keyof Required<State>]: State[Field] } : never;

export const guardedOf = ({ outsideSince, knownValues, savedOutside }: GuardedState): GuardedState => ({
  outsideSince,
  knownValues,
  savedOutside,
});

/** The fields of a state that outlive its phase. */
export function soFar(state: RunSoFar): Whole<RunSoFar> {
  const { step, completions, readings, fetched, sources, savedFiles, subRuns, waiting } = state;
  return { ...guardedOf(state), step, completions, readings, fetched, sources, savedFiles, subRuns, waiting };
}

export const conversationOf = ({ messages, leftOut, notes, rounds }: Conversation): Whole<Conversation> => ({
  messages,
  leftOut,
  notes,
  rounds,
});

/** The state of a run that is over, from any phase of it. */
export const ended = (
  state: AgentState,
  left: Pick<Ended, 'conversation' | 'calls' | 'asked'> = {},
): Ended => ({
  ...soFar(state),
  phase: 'ended',
  stopReason: 'stopReason' in state ? state.stopReason : undefined,
  ...left,
});

/** Whether calls that act may be in work. The run is handed on once they are answered. */
export const isActing = (state: AgentState): boolean => state.phase === 'act' && state.begun !== undefined;

/** One commit: events, their costs, and the state after them. */
export interface Progress {
  events: AgentEvent[];
  costs: Cost[];
  state: AgentState;
  /** The run waits for a provider: its worker stops here, and goes on from the state after this time. */
  pauseMilliseconds?: number;
  /** With a pause: it is for the ends of these runs. */
  waitsForRuns?: readonly string[];
  /** With `error`: the model's provider refused what the caller sent. */
  isRefused?: true;
  /** The piece without what is announced with it: all that is left of it where the run is asked to stop. */
  alone?: Pick<Progress, 'events' | 'state'>;
  /** This piece is committed though it has no events: it says which calls are about to be sent. */
  isIntent?: true;
  /** With `done`: what the answer cites. */
  citations?: readonly Citation[];
  /** With `done`, in a run with a schema: the fields of its value that are facts. `citations` are theirs. */
  basis?: readonly BasisField[];
  /** With it: the pointers of those whose support is under the threshold. */
  unsupported?: readonly string[];
  /** With `done`, if the run has sources: how many statements of the answer have figures or names and cite nothing. */
  uncitedSentences?: number;
}
