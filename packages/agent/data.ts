import type { AssistantMessage } from '@errand/models';

/*
 * What a run is made of, as plain data that is stored and sent. This file imports nothing of the room, so that every other file
 * can import it.
 */

/** A message of the chat completions protocol. */
export type ConversationMessage =
  | { role: 'system' | 'user'; content: string }
  | AssistantMessage
  | ToolMessage;

export type { AssistantMessage };

export interface ToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** How many characters were left out of the results of calls, by the ids of the calls. */
export type LeftOut = Readonly<Record<string, number>>;

/** A file that is read before the model sees the question. */
export type ForcedRead = { tool: 'audio_transcribe'; url: string } | { tool: 'vision'; imageUrl: string };

/** How much of what is read the model is shown at once, in characters. */
export interface ReadingRoom {
  wholeCharacters: number;
  shownCharacters: number;
}

/** What is private in a run, and on whose word it is sent out. Another run is handed all of it, by `outside/guarded.ts`. */
export interface Guarded {
  input: {
    /** The question is another run's, whose model reads the answer. */
    isSubRun: true | undefined;
    /** What the caller has asked, where `question` is another run's. */
    callersQuestion: string | undefined;
    /** The question may have pieces of the caller's files. */
    hasPrivateQuestion: true | undefined;
  };
  state: {
    /** How many completions the model had made when it was first given material from outside. Undefined before that. */
    outsideSince: number | undefined;
    /** The names of the saved values that the run has read or saved. */
    knownValues: string[];
    /** The names under which the run has saved values after it had read material from outside. */
    savedOutside: string[];
  };
}

/** What an answer may cite by its number: something that the run has read, or found. */
export interface Source {
  /** Counted from 1, in the order in which the run met its sources. */
  number: number;
  kind: 'page' | 'document' | 'transcript' | 'image' | 'result';
  url?: string;
  /** The name of an attachment. */
  filename?: string;
  title?: string;
  /** The text of a search result. */
  snippet?: string;
  /** Names what is kept of the source for the run. */
  material?: string;
  /** The passages of the material that the model was shown, the last shown first. Absent in runs of earlier releases. */
  shown?: readonly number[];
  /** The model whose vectors of the material's passages are kept with it. */
  vectors?: string;
}

/** A source as a tool has found or read it. The run gives it its number. */
export type FoundSource = Omit<Source, 'number'>;

interface CitedClaimPart {
  /** The number by which the run's result names the source. Absent in runs of earlier releases. */
  number?: number;
  /** The claim in the run's result, in UTF-16 units; the end is exclusive. */
  startIndex: number;
  endIndex: number;
  /** The passage of the source about the claim. Absent if no passage of the source is near the claim. */
  passage?: string;
  /** The words of `passage` that are nearest to the claim. */
  quote?: string;
  /** Where the passage is in its original, as `page 12`. */
  place?: string;
  /** The probability that the passages of the claim's sources support it. Absent without proof. */
  support?: number;
}

/** What an answer cites, as the API shows it. */
export type Citation =
  | ({ type: 'url_citation'; url: string; title: string } & CitedClaimPart)
  | ({ type: 'file_citation'; filename: string; title?: string } & CitedClaimPart);

/** A field of a run's value that is a fact, as the API joins it with its citations: those that begin where it begins. */
export interface BasisField {
  /** A JSON Pointer. */
  pointer: string;
  /** Where it stands in the run's result, in UTF-16 units; the end is exclusive. */
  startIndex: number;
  endIndex: number;
  /** The probability that its passages support it. Absent without proof. */
  support?: number;
}

/** The probabilities that passages support their claims, by `claimKey`; null if the model that was asked could not say. */
export type ProvenClaims = Readonly<Record<string, number | null>>;

/** A call that the caller makes, or has to approve before it is made. */
export interface AskedCall {
  id: string;
  type: 'function' | 'approval';
  name: string;
  /** The JSON that the model wrote. */
  arguments: string;
  /** The SHA-256 of name and arguments in hex. What is approved is what has this digest. */
  digest: string;
  /** The probability that the question asks for the call, where a decision model has judged it. */
  probability?: number;
}

/** A run that works on a question of this one. */
export interface SubRun {
  /** The key of the call that asks for it. */
  call: string;
  runId: string;
  /** `planned`: it may have been started. `ended`: that is told, and its report is not read yet. */
  status: 'planned' | 'started' | 'ended' | 'over';
  /** What it may cost of what this run may cost. Absent if this run has no cap. */
  capNanoEuro?: number | undefined;
  /** Why it was not started, in words for the model. */
  problem?: string | undefined;
  /** What it has used. Known once its report is read. */
  used?: UsedBySubRun;
}

export interface UsedBySubRun {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  audioSeconds: number;
  completions: number;
  amountNanoEuro: number;
}

/** A field of the run's input that the caller has to give, and its purpose. */
export interface ExpectedField {
  name: string;
  description: string;
}

/** A sub-run has begun, or has ended so. */
export type SubRunStatus = 'queued' | 'succeeded' | 'failed';

/** The events of a run (docs/api.md, Events). The order of properties is that of the wire. */
export type AgentEvent =
  | { type: 'step_start'; step: number; description: string }
  | { type: 'tool_call'; toolName: string; input: object | string; approval?: { probability: number } }
  | { type: 'tool_result'; toolName: string; result: string }
  | { type: 'sub_run'; runId: string; question: string; status: SubRunStatus }
  | { type: 'text'; text: string }
  | { type: 'step_complete'; step: number }
  | { type: 'input_required'; message: string; expected: ExpectedField[]; calls?: AskedCall[] }
  | { type: 'done'; finalText: string }
  | { type: 'error'; message: string };

const terminalTypes = ['input_required', 'done', 'error'] as const satisfies readonly AgentEvent['type'][];

/** Ends the run. */
export type TerminalEvent = Extract<AgentEvent, { type: (typeof terminalTypes)[number] }>;

export const isTerminalType = (type: AgentEvent['type']): type is TerminalEvent['type'] =>
  terminalTypes.some((terminal) => terminal === type);

export const isTerminal = (event: AgentEvent): event is TerminalEvent => isTerminalType(event.type);

export const stepDescriptions = {
  forced: 'Executing tool',
  loop: 'LLM agentic loop',
  check: 'Confirming the answer is complete before stopping',
} as const;

/** The event of a text; none for an empty one. */
export const textEvents = (text: string): AgentEvent[] =>
  text.trim() === '' ? [] : [{ type: 'text', text }];
