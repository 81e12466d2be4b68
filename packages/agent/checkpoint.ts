import type { Opaque, ToolCall } from '@errand/models';
import { continueNote } from './conversation.ts';
import type { ConversationMessage, ForcedRead, LeftOut, ProvenClaims } from './data.ts';
import {
  type Acting,
  type AgentState,
  type Citing,
  type Ended,
  type Followed,
  initialState,
  type Opening,
  type RunSoFar,
  type StopReason,
  soFar,
  type Thinking,
  type Whole,
} from './state.ts';

/**
 * A state as it is stored: one flat object. Fields may be missing. During a deploy, workers of two releases go on with each
 * other's runs, and drop the fields that they do not know: a new field must be one that a run can lose.
 */
export interface StoredState extends Partial<RunSoFar> {
  /** `open`, `think` and `act` are stored as the part in which they are, `cite` as the check. */
  phase: 'start' | 'forced' | 'loop' | 'check' | 'ended';
  stepOpen?: boolean;
  forced?: ForcedRead[];
  messages?: ConversationMessage[];
  /** Of the messages with these indices. The release before would send it to any provider, as fields that none knows. */
  opaque?: Record<number, Opaque>;
  leftOut?: LeftOut;
  notes?: Record<string, string>;
  rounds?: number;
  partial?: Thinking['partial'];
  /** A run that loses it is asked for its value once more. */
  writing?: Thinking['writing'];
  wasEmpty?: true;
  gotRoom?: true;
  writtenCalls?: number;
  calls?: ToolCall[];
  announced?: number;
  /** A run that loses it makes its calls again. */
  begun?: number;
  cutCall?: string;
  answer?: string;
  stopReason?: StopReason;
  /** A value that loses it is checked once more. */
  fits?: true;
  isProved?: true;
  proven?: ProvenClaims;
  proofPasses?: number;
  answerToCite?: string;
  followed?: Followed;
  approved?: string[];
  judged?: Acting['judged'];
  conversation?: Ended['conversation'];
  asked?: Ended['asked'];
}

/** A state as a run's commits store it, whole or by what has changed in it. Of a run that has ended, its conversation stands where it stood before. */
export function storedState(state: AgentState): StoredState {
  switch (state.phase) {
    case 'start':
    case 'forced':
      return state;
    case 'ended': {
      const { conversation, ...rest } = state;
      return { ...rest, ...conversation };
    }
    case 'open':
    case 'think':
    case 'act':
    case 'cite': {
      const { part, phase, ...rest } = state;
      return { ...rest, phase: part, stepOpen: phase !== 'open' };
    }
  }
}

/** The first state of a run that goes on from another. A worker of the release before reads it too. */
export function writeCheckpoint(state: AgentState): string {
  const stored = storedState(state);
  return JSON.stringify(stored.messages ? { ...stored, ...opaqueApart(stored.messages) } : stored);
}

function opaqueApart(messages: readonly ConversationMessage[]): Pick<StoredState, 'messages' | 'opaque'> {
  const opaque: Record<number, Opaque> = {};
  const plain = messages.map((message, i) => {
    if (message.role !== 'assistant' || !message.opaque) return message;
    const { opaque: own, ...rest } = message;
    opaque[i] = own;
    return rest;
  });
  return { messages: plain, opaque: Object.keys(opaque).length > 0 ? opaque : undefined };
}

const withOpaque = ({ messages = [], opaque = {} }: StoredState): ConversationMessage[] =>
  messages.map((message, i) =>
    message.role === 'assistant' && opaque[i] ? { ...message, opaque: opaque[i] } : message,
  );

/** Earlier releases kept what there is of a cut answer, and the note to go on, out of the conversation. */
function conversationOf(stored: StoredState): ConversationMessage[] {
  const messages = withOpaque(stored);
  const { partial } = stored;
  if (!partial || messages.at(-1)?.content === continueNote) return messages;
  return [...messages, { role: 'assistant', content: partial.text }, { role: 'user', content: continueNote }];
}

/** Earlier releases stored it as `conversation`. */
function endedConversation(stored: StoredState): Ended['conversation'] {
  const { leftOut, notes, rounds = 0 } = stored;
  return stored.messages && { messages: withOpaque(stored), leftOut, notes, rounds };
}

/** The state of a checkpoint that this release or an earlier one has stored. */
export const readCheckpoint = (json: string): AgentState => readStored(JSON.parse(json) as StoredState);

export function readStored(stored: StoredState): AgentState {
  const run = soFar({ ...initialState, ...stored });
  const { phase, stopReason } = stored;
  if (phase === 'start') return { ...run, phase, followed: stored.followed };
  if (phase === 'forced') return { ...run, phase, forced: stored.forced ?? [], followed: stored.followed };
  if (phase === 'ended') {
    const { conversation = endedConversation(stored), calls, asked } = stored;
    return { ...run, phase, stopReason, conversation, calls, asked } satisfies Whole<Ended>;
  }
  const { answer = '', fits, isProved, proven, proofPasses, answerToCite } = stored;
  const checked = { part: 'check' as const, answer, stopReason, fits, proven, proofPasses };
  const { leftOut, notes, rounds = 0, calls = [], announced = 0, begun, cutCall, approved, judged } = stored;
  const said = { messages: conversationOf(stored), leftOut, notes, rounds };
  if (phase === 'check' && answerToCite !== undefined)
    return { ...run, ...said, ...checked, phase: 'cite', answerToCite } satisfies Whole<Citing>;
  const part = phase === 'check' ? { ...checked, isProved } : { part: phase };
  const conversation = { ...run, ...said, ...part };
  // Earlier releases have stored no `stepOpen` with calls.
  if (calls.length > 0 && stored.stepOpen !== false) {
    const acting = { calls, announced, begun, cutCall, approved, judged };
    return { ...conversation, phase: 'act', ...acting } satisfies Whole<Acting>;
  }
  const { partial, writing, wasEmpty, gotRoom, writtenCalls } = stored;
  if (!stored.stepOpen) {
    const next = calls.length > 0 ? calls : undefined;
    return {
      ...conversation,
      phase: 'open',
      calls: next,
      approved,
      cutCall,
      judged,
      wasEmpty,
      gotRoom,
      writtenCalls,
    } satisfies Whole<Opening>;
  }
  return {
    ...conversation,
    phase: 'think',
    partial,
    writing,
    wasEmpty,
    gotRoom,
    writtenCalls,
  } satisfies Whole<Thinking>;
}
