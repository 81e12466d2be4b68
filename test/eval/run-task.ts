import type { RunEvent } from '../support/service.ts';
import { type Citation, citedClaims } from './citations.ts';
import type { Recorder } from './models/recorder.ts';
import type { Service } from './service.ts';
import type { Site } from './site/site.ts';
import type { Outcome, Task } from './tasks/task.ts';
import type { Truths } from './truth.ts';

/** What was measured of a task. Fields that its kind does not have are absent. */
export interface Score {
  task: Task;
  status: string;
  answer: string;
  isRight: boolean;
  /** How many of the passages that the model must be shown it was shown. */
  passagesShown: number;
  claims: number;
  claimsSupported: number;
  isWhole?: boolean;
  reachedAim?: boolean;
  completions: number;
  inputTokens: number;
  outputTokens: number;
  euros: number;
  milliseconds: number;
}

interface RunDeps {
  service: Service;
  site: Site;
  recorder: Recorder;
  truths: Truths;
}

/** What `GET` of a run shows. */
interface RunView {
  status: string;
  result?: string;
  citations?: Citation[];
  usage: { inputTokens: number; outputTokens: number; credits: string };
}

export async function runTask(deps: RunDeps, task: Task): Promise<Score> {
  const { service, site, recorder, truths } = deps;
  for (const question of task.before ?? [])
    await service.follow(await create(deps, { ...bareTask, question }));
  const shown = recorder.watch(task.question, task.passages);
  const startedAt = performance.now();
  const agentId = await create(deps, task);
  const events = await service.follow(agentId);
  const milliseconds = performance.now() - startedAt;
  const run = (await (await service.request(`/v1/agents/runs/${agentId}`)).json()) as RunView;
  const outcome = await outcomeOf(service, run, events);
  const claims = citedClaims(outcome.answer, run.citations);
  const supported = claims.filter(({ sources, text }) =>
    sources.some((source) => truths.supports(source, text)),
  );
  const traces = {
    ...site.received,
    savedValue: (name: string) => savedValue(service, name),
    isTrusted: (name: string, value: string) => isTrusted(deps, name, value),
  };
  return {
    task,
    status: run.status,
    answer: outcome.answer,
    isRight: run.status === 'succeeded' && task.isRight(outcome),
    passagesShown: shown.passages.size,
    claims: claims.length,
    claimsSupported: supported.length,
    isWhole: task.isWhole?.(outcome),
    ...(task.reachedAim && { reachedAim: await task.reachedAim(traces) }),
    completions: shown.completions,
    inputTokens: run.usage.inputTokens,
    outputTokens: run.usage.outputTokens,
    euros: Number(run.usage.credits),
    milliseconds,
  };
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
  inputTokens: 0,
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
};

type Input = { question: string } & { [Field in keyof typeof bareTask]?: Task[Field] | undefined };

async function create({ service }: RunDeps, input: Input): Promise<string> {
  const { question, documentUrl, audioUrl, upload, skill, proof } = input;
  const fields = {
    question,
    documentUrl,
    audioUrl,
    skills: skill?.name,
    proof,
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
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, String(value));
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
  const shown = deps.recorder.watch(question, [value]);
  await deps.service.follow(await create(deps, { ...bareTask, question }));
  return shown.unmarked.has(value);
}
