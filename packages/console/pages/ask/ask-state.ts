import { ErrandError, type NewRun, type Progress, type Retry } from '@errand/client';
import { type Signal, signal } from '@preact/signals';
import { type Action, createAction } from '../../session/action.ts';
import { perKey } from '../../session/per-key.ts';
import { errand, sessionSignal } from '../../session/session.ts';
import { type Approve, readField } from '../../words/run-words.ts';
import { createAttempts } from './attempts.ts';
import { type Follows, type Replies, readReplies } from './replies.ts';
import { readSchema } from './schema-field.ts';
import { sentFiles, sentQuestions } from './sent.ts';
import { readServers, type ServerDraft } from './servers.ts';

const settingNames = [
  'agent',
  'effort',
  'model',
  'tools',
  'skill',
  'servers',
  'maxCredits',
  'proof',
  'approve',
  'schema',
] as const;

/** How a run works, beside its question. */
export type Settings = {
  [Name in (typeof settingNames)[number]]: AskState[Name] extends Signal<infer Value> ? Value : never;
};

/** The settings with which runs of this session were started: the service tells of them the agent, the effort and the model alone. */
export const sentSettings = perKey(() => new Map<string, Partial<Settings>>());

export interface AskState {
  /** The run that it goes on from; absent where the question begins anew. */
  follows: Follows | undefined;
  replies: Signal<Replies>;
  question: Signal<string>;
  file: Signal<File | undefined>;
  /** The file of the run that is asked again, where it has to be chosen again. */
  missingFile: Signal<string | undefined>;
  /** The name of a stored agent; empty for the service's own, or for that of the run before. */
  agent: Signal<string>;
  effort: Signal<NonNullable<NewRun['effort']> | ''>;
  model: Signal<string>;
  /** The tools that the run may use; undefined while it may use all. */
  tools: Signal<readonly string[] | undefined>;
  /** The name of a skill; empty for none. */
  skill: Signal<string>;
  servers: Signal<readonly ServerDraft[]>;
  maxCredits: Signal<string>;
  proof: Signal<boolean>;
  approve: Signal<Approve>;
  /** The JSON Schema of the result, as it is typed; empty for an answer in words. */
  schema: Signal<string>;
  sending: Action;
  /** True if the visitor gave up a start that the service may have received. */
  stopped: Signal<boolean>;
  /** A run that was started while the visitor looked at something else. */
  unseen: Signal<string | undefined>;
  progress: Signal<Progress | undefined>;
  /** Why the start is asked for again, and how long that waits. */
  waiting: Signal<Retry | undefined>;
  start(then: (agentId: string) => void): void;
  stop(): void;
}

export const ask = perKey(() => createAskState());

export function createAskState(follows?: Follows): AskState {
  const sending = createAction();
  const attempts = createAttempts();
  let leaving = new AbortController();
  const state: AskState = {
    follows,
    replies: signal({}),
    question: signal(''),
    file: signal(undefined),
    missingFile: signal(undefined),
    agent: signal(''),
    effort: signal(''),
    model: signal(''),
    tools: signal(undefined),
    skill: signal(''),
    servers: signal([]),
    maxCredits: signal(''),
    proof: signal(false),
    approve: signal(''),
    schema: signal(''),
    sending,
    stopped: signal(false),
    unseen: signal(undefined),
    progress: signal(undefined),
    waiting: signal(undefined),
    start(then) {
      if (sending.busy.peek()) return;
      void sending.run(async () => {
        const file = state.file.peek();
        const input = readInput(state);
        const missing = state.missingFile.peek();
        const [files, questions, settings] = [sentFiles(), sentQuestions(), sentSettings()];
        const sent = settingsOf(state);
        const session = sessionSignal();
        leaving = new AbortController();
        state.stopped.value = false;
        try {
          const run = await errand().runs.start(input, {
            idempotencyKey: attempts.keyOf(input, file),
            file,
            filename: file?.name,
            onProgress: (progress) => {
              state.progress.value = progress;
            },
            onRetry: (retry) => {
              state.waiting.value = retry;
            },
            signal: AbortSignal.any([leaving.signal, session]),
          });
          attempts.end();
          if (state.missingFile.peek() === missing) state.missingFile.value = undefined;
          if (input.question) questions.set(run.agentId, input.question);
          settings.set(run.agentId, sent);
          if (file) files.set(run.agentId, file);
          // Ask again brings both back.
          if (state.question.peek().trim() === input.question) state.question.value = '';
          if (state.file.peek() === file) state.file.value = undefined;
          if (!session.aborted) then(run.agentId);
        } catch (error) {
          if (isConflict(error)) attempts.end();
          throw error;
        } finally {
          state.progress.value = undefined;
          state.waiting.value = undefined;
        }
      });
    },
    stop() {
      state.stopped.value = true;
      leaving.abort();
    },
  };
  return state;
}

const settingsOf = (state: AskState) =>
  Object.fromEntries(settingNames.map((name) => [name, state[name].peek()])) as unknown as Settings;

/** Whether the service had another request under the key of this one. It says when to come back if it only works on the same. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ErrandError &&
  error.status === 409 &&
  error.retryAfterMilliseconds === undefined &&
  error.message.includes('Idempotency-Key');

/** A run does not say about which file it was asked, so its metadata do. */
const metadataOf = (filename: string): NewRun['metadata'] => ({
  file: filename.slice(0, keptCharacters).toWellFormed(),
});
const keptCharacters = 512; // limits.metadataValueCharacters

export function readInput({
  question,
  file,
  agent,
  effort,
  model,
  tools,
  skill,
  servers,
  maxCredits,
  proof,
  approve,
  schema,
  follows,
  replies,
}: AskState): NewRun {
  const filename = file.value?.name;
  return {
    question: question.value.trim() || undefined,
    ...(follows && readReplies(follows, replies.value)),
    agent: agent.value || undefined,
    effort: effort.value || undefined,
    model: model.value || undefined,
    tools: tools.value && (tools.value as NonNullable<NewRun['tools']>),
    skills: skill.value || undefined,
    mcp: readServers(servers.value),
    ...(maxCredits.value.trim() && { maxCredits: maxCredits.value.trim() }),
    proof: proof.value || undefined,
    approve: readField(approve.value) as NewRun['approve'],
    outputSchema: readSchema(schema.value),
    metadata: filename ? metadataOf(filename) : undefined,
  };
}
