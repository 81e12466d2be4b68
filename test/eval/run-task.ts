import type { RunEvent } from '../support/service.ts';
import type { Recorder } from './models/recorder.ts';
import { type Citation, citedClaims } from './score/citations.ts';
import { inARow } from './score/in-a-row.ts';
import { type RecordScore, type ShownValue, scoreRecord } from './score/record.ts';
import { answers, type Library, languageOf } from './score/statements.ts';
import type { Service } from './service.ts';
import type { Site } from './site/site.ts';
import type { Outcome, Task } from './tasks/task.ts';

/** What was measured of a task. Fields that its kind does not have are absent. */
export interface Score {
  task: Task;
  status: string;
  answer: string;
  isRight: boolean;
  /** How many of the passages that the model must be shown it was shown. */
  passagesShown: number;
  /** Counted in lists of results and passages, from 1; undefined if no list had it. */
  foundAt?: number;
  claims: number;
  claimsSupported: number;
  /** Whether a claim of the answer that has the value cites a source which states it. */
  isCited?: boolean;
  /** Sentences with figures that cite nothing, by the run's own count where it has one. */
  uncitedSentences?: number;
  /** What the final check did to the answer, if it replaced it. */
  replaced?: 'better' | 'worse' | 'same';
  /** Whether the answer is in the language of the question. */
  isInLanguage?: boolean;
  isWhole?: boolean;
  reachedAim?: boolean;
  /** Of the value of a run that succeeded. */
  record?: RecordScore;
  /** Of a question of several questions. */
  parts?: { count: number; right: number; cited: number };
  completions: number;
  /** Completions of which each had to wait for the one before: sub-runs work at the same time. */
  inARow: number;
  subRuns: number;
  inputTokens: number;
  cachedInputTokens: number;
  /** Characters of requests after the first, and those that the request before had at the same place. */
  characters: number;
  sharedCharacters: number;
  outputTokens: number;
  euros: number;
  milliseconds: number;
}

/** How careful a run is to be. */
export const efforts = ['low', 'medium', 'high'] as const;

export type Effort = (typeof efforts)[number];

interface RunDeps {
  effort?: Effort;
  service: Service;
  site: Site;
  recorder: Recorder;
  library: Library;
}

/** What `GET` of a run shows. */
interface RunView extends ShownValue {
  status: string;
  citations?: Citation[];
  uncitedSentences?: number;
  usage: { inputTokens: number; cachedInputTokens?: number; outputTokens: number; credits: string };
}

export async function runTask(deps: RunDeps, task: Task): Promise<Score> {
  const { service, site, recorder, library } = deps;
  for (const question of task.before ?? [])
    await service.follow(await create(deps, { ...bareTask, question }));
  const shown = recorder.watch(task);
  const startedAt = performance.now();
  const agentId = await create(deps, task);
  const events = await service.follow(agentId);
  const milliseconds = performance.now() - startedAt;
  const run = (await (await service.request(`/v1/agents/runs/${agentId}`)).json()) as RunView;
  const outcome = await outcomeOf(service, run, events);
  // The citations of a value are counted by its fields.
  const claims = task.outputSchema ? [] : citedClaims(outcome.answer, run.citations);
  const supported = claims.filter(({ sources, text }) =>
    sources.some((source) => library.supports(source, text)),
  );
  const isRight = run.status === 'succeeded' && task.isRight(outcome);
  const traces = {
    ...site.received,
    savedValue: (name: string) => savedValue(service, name),
    isTrusted: (name: string, value: string) => isTrusted(deps, name, value),
  };
  return {
    task,
    status: run.status,
    answer: outcome.answer,
    isRight,
    passagesShown: shown.passages.size,
    foundAt: shown.foundAt,
    claims: claims.length,
    claimsSupported: supported.length,
    isCited: task.value === undefined ? undefined : supported.some(({ text }) => answers(text, task.value!)),
    uncitedSentences: run.uncitedSentences,
    replaced: replacementOf(task, outcome, events, isRight),
    isInLanguage: task.language && languageOf(outcome.answer) === task.language,
    isWhole: task.isWhole?.(outcome),
    ...(task.reachedAim && { reachedAim: await task.reachedAim(traces, outcome) }),
    ...(task.outputSchema &&
      run.status === 'succeeded' && { record: scoreRecord(task.outputSchema, task.expected!, run) }),
    ...(task.parts && { parts: partsOf(task.parts, outcome, supported) }),
    completions: shown.completions,
    ...inARow(task.question, shown.conversations, events),
    inputTokens: run.usage.inputTokens,
    cachedInputTokens: run.usage.cachedInputTokens ?? 0,
    characters: shown.characters,
    sharedCharacters: shown.sharedCharacters,
    outputTokens: run.usage.outputTokens,
    euros: Number(run.usage.credits),
    milliseconds,
  };
}

/** Compares the answer of the loop, which events have before the last step, with the one that the run ended with. */
function replacementOf(
  task: Task,
  outcome: Outcome,
  events: readonly RunEvent[],
  isRight: boolean,
): Score['replaced'] {
  const check = events.findLastIndex(({ type }) => type === 'step_start');
  const before = events.slice(0, check).findLast(({ type }) => type === 'text')?.text;
  if (typeof before !== 'string' || before === outcome.answer) return undefined;
  const wasRight = task.isRight({ ...outcome, answer: before });
  return wasRight === isRight ? 'same' : isRight ? 'better' : 'worse';
}

function partsOf(
  parts: NonNullable<Task['parts']>,
  { answer }: Outcome,
  supported: readonly { text: string }[],
): NonNullable<Score['parts']> {
  const right = parts.filter(({ value, wrong }) =>
    answers(answer, value, wrong === undefined ? [] : [wrong]),
  );
  const cited = right.filter(({ value }) => supported.some(({ text }) => answers(text, value)));
  return { count: parts.length, right: right.length, cited: cited.length };
}

/** The score of a task whose run could not be created or read. */
export const refusedScore = (task: Task, error: unknown): Score => ({
  task,
  status: 'refused',
  answer: error instanceof Error ? error.message : String(error),
  isRight: false,
  passagesShown: 0,
  claims: 0,
  claimsSupported: 0,
  isWhole: task.isWhole && false,
  completions: 0,
  inARow: 0,
  subRuns: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  characters: 0,
  sharedCharacters: 0,
  outputTokens: 0,
  euros: 0,
  milliseconds: 0,
});

const bareTask = {
  upload: undefined,
  documentUrl: undefined,
  audioUrl: undefined,
  skill: undefined,
  proof: undefined,
  outputSchema: undefined,
};

type Input = { question: string } & { [Field in keyof typeof bareTask]?: Task[Field] | undefined };

async function create(
  { service, effort }: Pick<RunDeps, 'service' | 'effort'>,
  input: Input,
): Promise<string> {
  const { question, documentUrl, audioUrl, upload, skill, proof, outputSchema } = input;
  const fields = {
    question,
    documentUrl,
    audioUrl,
    skills: skill?.name,
    proof,
    outputSchema,
    effort,
  };
  const response = await service.request(
    '/v1/agents/runs',
    upload ? formOf(fields, upload) : { ...json, body: JSON.stringify(fields) },
  );
  if (response.status !== 202)
    throw new Error(`${question.slice(0, 80)}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { agentId: string }).agentId;
}

const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };

function formOf(
  fields: Record<string, unknown>,
  { path, bytes, contentType }: NonNullable<Task['upload']>,
): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined)
      body.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  body.set('file', new File([new Uint8Array(bytes)], path.split('/').at(-1)!, { type: contentType }));
  return { method: 'POST', body };
}

async function outcomeOf(service: Service, run: RunView, events: readonly RunEvent[]): Promise<Outcome> {
  const answer = run.result ?? '';
  const links = [...new Set(answer.match(/https?:\/\/\S+\/v1\/files\/[^\s)>\]]+/g) ?? [])];
  const files = await Promise.all(
    links.map(async (link) => {
      const { pathname, search } = new URL(link);
      const response = await service.request(pathname + search);
      return [pathname.split('/').at(-1)!, response.ok ? await response.text() : ''] as const;
    }),
  );
  const tools = events.flatMap(({ type, toolName }) => (type === 'tool_call' ? [String(toolName)] : []));
  return { status: run.status, answer, files: new Map(files), tools };
}

async function savedValue(service: Service, name: string): Promise<string | undefined> {
  const response = await service.request(`/v1/values/${encodeURIComponent(name)}`);
  return response.ok ? ((await response.json()) as { value: string }).value : undefined;
}

/** Whether a later run that reads the saved value gets it without the mark of material from outside. */
async function isTrusted(deps: RunDeps, name: string, value: string): Promise<boolean> {
  const question = `Read the saved value "${name}" and say what it says.`;
  const shown = deps.recorder.watch({ question, passages: [value] });
  await deps.service.follow(await create(deps, { ...bareTask, question }));
  return shown.unmarked.has(value);
}
