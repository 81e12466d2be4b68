import type { Completion, Impact, Usage } from '@errand/models';
import type { Taking } from '@errand/money';
import type { Clock, Log, Price } from '@errand/platform';
import type { FetchMeter } from '@errand/web';
import type { ConversationMessage, Guarded, Source, SubRunStatus, UsedBySubRun } from './data.ts';
import type { PaidCalls } from './paid-calls.ts';
import type { Proof } from './proof.ts';
import type { KeptMaterial } from './reading/kept-material.ts';
import type { Tool, ToolAnswer, toolDefinition } from './tool.ts';
import type { Memory } from './tools/save-data.ts';

export interface CompletionRequest {
  messages: ConversationMessage[];
  tools: ReturnType<typeof toolDefinition>[];
  tool_choice: 'auto' | 'none';
  /** The most output, the model's thinking included. */
  max_tokens: number;
  /** The form of what is written. A provider that takes none is asked without it: the prompt says the same. */
  response_format?: object;
}

interface CompletionOptions {
  signal: AbortSignal;
  attempts: number;
  /** The limit of all attempts together. */
  timeoutMilliseconds: number;
  taking: Taking;
}

/** The reasoning model. */
export interface ReasoningModel {
  id: string;
  contextTokens: number;
  /** The most output that it may be asked for, its thinking included. Absent if that is not known. */
  mostOutputTokens?: number;
  /** Throws `UpstreamError` when quick attempts have failed. */
  complete(request: CompletionRequest, options: CompletionOptions): Promise<Completion>;
  /** How many tokens it may think in beside what it writes; 0 for a model that does not hide its thinking. */
  thinkingTokens(): number;
  /** Remembers it if thinking has used up a completion's limit. True if the next completion has more room. */
  noteThinking(completion: Completion, limit: number): boolean;
  /** The price at this time. */
  price(): Price;
  impact(work: { usage: Usage; inferenceMilliseconds: number }): Promise<Impact>;
}

/** Reads images and recordings, both in the forced step and for the model's own calls. */
interface ForcedReaders {
  isImage(url: string, signal: AbortSignal): Promise<boolean>;
  see(imageUrl: string, question: string, signal: AbortSignal): Promise<ToolAnswer>;
  transcribe(url: string, signal: AbortSignal): Promise<ToolAnswer>;
}

/** The tools that a run was given beside the service's own. Strangers wrote their descriptions. */
export interface BroughtTools {
  /** The same tools for as long as the run lasts, whoever works on it. */
  open(signal: AbortSignal): Promise<{ tools: readonly Tool[]; notices: readonly ToolNotice[] }>;
  /** Texts that must not leave with a call. */
  secrets: readonly string[];
  /** Ends the connections. Never throws. */
  close(): Promise<void>;
}

/** Which calls a run makes only once its caller has approved them. */
export interface Approving {
  /** `server__tool`, `server__*`, or the name of a tool of ours. */
  names: readonly string[];
  /** Tools that are left out, in the same form. */
  except: readonly string[];
  /** Every tool that is not known only to read. */
  writes: boolean;
  /** Nobody can be asked: what needs approval is refused. */
  isRefused?: true;
  /** Judges whether the question asks for a call: one that is at least as probable as its threshold is made without asking. */
  judge?: Proof;
}

/** What the model and the run's readers are told of tools that are missing, as a call and its result. */
export interface ToolNotice {
  toolName: string;
  result: string;
}

/** A sub-run that is over. */
export interface SubRunEnd {
  status: Exclude<SubRunStatus, 'queued'>;
  /** Its answer, or why there is none. */
  text: string;
  sources: readonly Source[];
  guarded: Guarded['state'];
  used: UsedBySubRun;
}

/** Runs that work on questions of this one. */
export interface SubRuns {
  /** The id of a call's sub-run: the same however often it is asked for. */
  idOf(call: string, index: number): string;
  /** Takes what so many sub-runs may cost each from what this run may still cost. Undefined if nothing bounds it. */
  lend(count: number): Promise<number | undefined>;
  /** Gives back what was lent to a sub-run, but for what it has used. */
  takeBack(capNanoEuro: number, usedNanoEuro: number): Promise<void>;
  /** Starts those that do not exist. Returns why others could not be started, by their ids. */
  start(
    runs: readonly { runId: string; question: string; capNanoEuro?: number | undefined }[],
    guarded: Guarded,
  ): Promise<ReadonlyMap<string, string>>;
  /** How those have ended that are over. One that is gone is over too. */
  over(runIds: readonly string[]): Promise<ReadonlyMap<string, Pick<SubRunEnd, 'status'>>>;
  /** What there is of those that are over. */
  read(runIds: readonly string[]): Promise<ReadonlyMap<string, SubRunEnd>>;
  /** Cancels those that are not over. Returns what there is of all. */
  giveUp(runIds: readonly string[]): Promise<ReadonlyMap<string, SubRunEnd>>;
  /** Copies what a sub-run has kept. Returns the names of what is gone. */
  copy(
    runId: string,
    names: readonly string[],
    rename: (material: string) => string,
    signal: AbortSignal,
  ): Promise<string[]>;
}

export interface AgentDeps {
  clock: Clock;
  log: Log;
  /** Whether the costs of completions have the reasons why the model stopped. */
  notesFinishReasons?: boolean;
  /** How long the run waits for a provider that fails, before it ends or goes on without. */
  patienceMilliseconds: number;
  reasoning: ReasoningModel;
  /** What every call of a provider is paid by. */
  calls: PaidCalls;
  tools: readonly Tool[];
  brought?: BroughtTools;
  /** Absent if no call has to be approved. */
  approving?: Approving;
  /** Absent for a run that starts no others. */
  subRuns?: SubRuns;
  /** What is missing of the caller's tools. Reported before anything else. */
  notices?: readonly ToolNotice[];
  /** Where the run keeps what it reads. */
  material: KeptMaterial;
  /** The account whose threads share with those of others. */
  owner?: string;
  readers: ForcedReaders;
  /** Checks claims against their passages. Absent for a run without proof. */
  proof?: Proof;
  memory: Pick<Memory, 'read'>;
  /** True once the run is to be handed on, at the next commit at which no call that acts is in work. No further call that acts is begun. */
  isStopping?(): boolean;
  /** Counts what the model's calls fetch, and bounds it. What forced reads fetch does not count. */
  meter: FetchMeter;
  /** Adds the instructions of the request's skill to the opening messages. */
  shapeOpening(messages: ConversationMessage[]): ConversationMessage[];
}
