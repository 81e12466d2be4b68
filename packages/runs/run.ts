import type { Citation, StopReason, UsedBySubRun } from '@errand/agent';
import type { AgentIdentity } from '@errand/agents';
import { type Cost, formatEuro, type Payer, type Reservation } from '@errand/money';
import {
  contextOfWork,
  type Principal,
  readTraceparent,
  type TraceContext,
  toIso,
  toSeconds,
} from '@errand/platform';
import type { SkillIdentity } from '@errand/skills';
import type { RunsDeps } from './deps.ts';
import type { RunStatus } from './lifecycle.ts';
import { viewValue } from './run-value.ts';
import type { CreateRunBody } from './schema.ts';
import type { RunView, RunWait } from './wire.ts';

/**
 * The fields of a creation's body that the run's own item has too, under their own names: what `GET` shows, and what is needed
 * where the input is not read. The input has the whole body.
 */
export const keptFields = [
  'metadata',
  'webhookUrl',
  'effort',
] as const satisfies readonly (keyof CreateRunBody)[];

/** Every field must be named, even if its value is undefined: leaving a field out is a type error. */
type KeptFields = FieldsOf<CreateRunBody, (typeof keptFields)[number]>;

/** Some fields of an object. Optional ones may be undefined, and are not left out. */
export type FieldsOf<T, Name extends keyof T> = { [Field in keyof Required<Pick<T, Name>>]: T[Field] };

export const pickFields = <T, Name extends keyof T>(from: T, names: readonly Name[]): FieldsOf<T, Name> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as FieldsOf<T, Name>;

/** The run's own item in the table, beside its events. */
export interface RunRecord extends KeptFields {
  agentId: string;
  keyId: string;
  payer: Payer;
  status: RunStatus;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  /** The id of the last committed event. 0 before the first. */
  lastEventId: number;
  /** The beginning of what was asked. Absent on runs of earlier releases. */
  question?: string;
  /** The run that it goes on from, the first of its chain, and its number there. Absent on a run that begins anew. */
  previousRunId?: string;
  thread?: string;
  place?: number;
  /** The run that has it work on a question. Absent on a run of a caller. */
  parentRunId?: string;
  /** What its sub-runs have used as far as it has read their reports, and what is lent to the others. */
  subRuns?: UsedBySubRun & { lentNanoEuro: number };
  /** The run that makes the calls that were approved. */
  approvedBy?: string;
  /** What the run asks of its caller, as JSON. It lies in the bucket in the same way as `result`. */
  asked?: string;
  askedStored?: string;
  /** The text of the terminal event. A text over the inline limit lies in the bucket, under the key `resultStored`. */
  result?: string;
  resultStored?: string;
  /** What the result cites, as JSON. It lies in the bucket in the same way. */
  citations?: string;
  citationsStored?: string;
  /** Where the facts of the value are from, as JSON. It lies in the bucket in the same way. The result is a value if it is there. */
  basis?: string;
  basisStored?: string;
  /** How many statements of the answer have figures or names and cite nothing. Absent on runs without sources, and of earlier releases. */
  uncitedSentences?: number;
  error?: string;
  /** Set if the answer has to fit a schema, which is in the input. */
  hasSchema?: true;
  /** What the protocol that created the run shows again of its request. */
  marks?: Readonly<Record<string, string>>;
  /** The schedule that started it. */
  scheduleId?: string;
  /** Present from a worker's claim until it gives the run back. Only the holder of the token may write. */
  leaseToken?: string;
  leaseUntilMilliseconds?: number;
  /** Set while the run waits for a model provider that fails, or for sub-runs: when the present pause ends. */
  waitsUntilMilliseconds?: number;
  /** Set with it: since when the run waits, and when it goes on without the provider at the latest. Absent on runs of earlier releases. */
  waitsSinceMilliseconds?: number;
  patienceEndsMilliseconds?: number;
  /** Set with it if the run waits for these sub-runs, and not for a provider. */
  waitsForRuns?: readonly string[];
  /** How long a lease of its holder lasts. */
  leaseMilliseconds?: number;
  /** Set while its holder has had no other run since it claimed this one. */
  alone?: boolean;
  /** How many workers that worked on this run alone have died since the last commit. */
  deaths: number;
  /**
   * How many workers that had other runs too have died since the last commit. Any of their runs may have killed
   * them.
   */
  deathsShared?: number;
  /** The caller's Idempotency-Key. The key is free again once the run is deleted. */
  idempotencyKey?: string;
  /** When the run's message was last sent, or left in the queue for the next worker. */
  sentAtMilliseconds: number;
  cancelRequested?: boolean;
  /** The only models that the run's key might use when the run was created. */
  models?: readonly string[];
  /** The model that works on the question. Absent on runs of earlier releases: the one that has the role. */
  model?: string;
  /** Set if an item holds authorizations for the run's servers. */
  hasAuthorizations?: true;
  /** Whether the cited claims of the answer are checked. */
  proof?: boolean;
  /** The most that the run may cost. */
  maxNanoEuro?: number;
  /** Why the run ended before it was done: its rounds, or its credits, were used up, or nothing fitted its schema. */
  stopReason?: StopReason;
  /** The trace that the creating request was a part of. Kept if spans are made. */
  traceparent?: string | undefined;
  /** The stored agent that the run is by. Absent on runs by the service's own. */
  agent?: AgentIdentity;
  /** The request that created the run, and the skill that shapes it, for its charges. */
  requestId?: string;
  skill?: SkillIdentity;
  /**
   * What was set aside at the creation for the first completion. Present until that completion is charged, or the
   * run ends.
   */
  reservation?: Reservation;
  /** What was done at the creation and is charged by the first step, or at the end if the run ends before. */
  owed?: Cost;
  inputTokens: number;
  /** Absent on runs of earlier releases, like `reasoningTokens` and `completions`. */
  cachedInputTokens?: number;
  outputTokens: number;
  /** Also absent if no model has reported any. */
  reasoningTokens?: number;
  audioSeconds: number;
  completions?: number;
  amountNanoEuro: number;
}

/** What every run has when it is written first. */
export function newRunFields({ clock, runReadableSeconds }: Pick<RunsDeps, 'clock' | 'runReadableSeconds'>) {
  const now = clock();
  return {
    status: 'queued',
    createdAt: toIso(now),
    updatedAt: toIso(now),
    expiresAt: toIso(now + runReadableSeconds * 1000),
    lastEventId: 0,
    deaths: 0,
    sentAtMilliseconds: now,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    completions: 0,
    audioSeconds: 0,
    amountNanoEuro: 0,
  } as const satisfies Partial<RunRecord>;
}

export const expirySeconds = (run: Pick<RunRecord, 'expiresAt'>): number =>
  toSeconds(Date.parse(run.expiresAt));

/** The first run of its chain. */
export const threadOf = ({ thread, agentId }: Pick<RunRecord, 'thread' | 'agentId'>): string =>
  thread ?? agentId;

/** Its number in its chain, from 1. */
export const placeOf = ({ place = 1 }: Pick<RunRecord, 'place'>): number => place;

/** The run's own span, which hangs under that of the request's caller. */
export const contextOfRun = ({ agentId, traceparent }: RunRecord): TraceContext =>
  contextOfWork(agentId, readTraceparent(traceparent));

/** The API key that created the run. */
export const keyOf = ({ keyId, payer }: RunRecord): Pick<Principal, 'keyId' | 'accountId'> => ({
  keyId,
  accountId: payer.accountId,
});

/** The run as the API shows it, with what it waits for. The order of properties is that of the wire. */
export function viewRun(run: RunRecord, waiting?: RunWait): RunView {
  const { agentId, status, stopReason, result, error, createdAt, updatedAt, expiresAt } = run;
  const { question, metadata, effort, model, uncitedSentences, previousRunId, parentRunId, asked } = run;
  const citations = run.citations === undefined ? undefined : (JSON.parse(run.citations) as Citation[]);
  const { basis, unsupported, output } = viewValue(run, citations);
  const view: FieldsOf<RunView, keyof RunView> = {
    agentId,
    status,
    waiting,
    stopReason,
    result,
    error,
    asked: asked === undefined ? undefined : (JSON.parse(asked) as RunView['asked']),
    createdAt,
    updatedAt,
    expiresAt,
    previousRunId,
    thread: run.thread,
    scheduleId: run.scheduleId,
    parentRunId,
    question,
    metadata,
    agent: run.agent && { name: run.agent.name, version: run.agent.version },
    effort,
    model,
    citations,
    uncitedSentences,
    basis,
    unsupported,
    usage: viewUsage(run),
    output,
  };
  return view;
}

/** What the run has used itself, and its sub-runs as far as it has read their reports. */
function viewUsage(run: RunRecord): RunView['usage'] {
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens, audioSeconds, completions } = run;
  const sum = (own: number | undefined, more: number | undefined) =>
    own === undefined && !more ? undefined : (own ?? 0) + (more ?? 0);
  const { subRuns } = run;
  return {
    inputTokens: inputTokens + (subRuns?.inputTokens ?? 0),
    cachedInputTokens: sum(cachedInputTokens, subRuns?.cachedInputTokens),
    outputTokens: outputTokens + (subRuns?.outputTokens ?? 0),
    reasoningTokens: sum(reasoningTokens, subRuns?.reasoningTokens),
    audioSeconds: audioSeconds + (subRuns?.audioSeconds ?? 0),
    completions: sum(completions, subRuns?.completions),
    credits: formatEuro(run.amountNanoEuro + (subRuns?.amountNanoEuro ?? 0)),
  };
}
