import type { NewRun, Progress, Retry, Run } from '@errand/client';
import { type Signal, signal } from '@preact/signals';
import { type Action, createAction } from '../../session/action.ts';
import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';
import { errand } from '../../session/session.ts';
import { createAttempts } from './attempts.ts';

export interface AskState {
  question: Signal<string>;
  file: Signal<File | undefined>;
  model: Signal<string>;
  /** The tools that the run may use; undefined while it may use all. */
  tools: Signal<readonly string[] | undefined>;
  maxCredits: Signal<string>;
  proof: Signal<boolean>;
  sending: Action;
  /** Whether the visitor gave up a start that the service may have had. */
  stopped: Signal<boolean>;
  /** A run that was started while the visitor looked at something else. */
  unseen: Signal<string | undefined>;
  progress: Signal<Progress | undefined>;
  /** Why the start is asked for again, and how long that waits. */
  waiting: Signal<Retry | undefined>;
  start(then: (agentId: string) => void): void;
  stop(): void;
}

export const ask = perKey(createAskState);

/** The tools of the service's agent, and those that its list leaves out because they reach nothing outside. */
export const toolNames = perKey(() =>
  resource(async ({ api }) => {
    const { data } = await api.GET('/v1/agents', { headers: { Accept: 'application/json' } });
    const agents = typeof data === 'string' ? [] : data.agents;
    return [...new Set([...agents.flatMap(({ tools }) => tools), 'read_data', 'write_todos'])];
  }),
);

function createAskState(): AskState {
  const sending = createAction();
  const attempts = createAttempts();
  let leaving = new AbortController();
  const state: AskState = {
    question: signal(''),
    file: signal(undefined),
    model: signal(''),
    tools: signal(undefined),
    maxCredits: signal(''),
    proof: signal(false),
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
        leaving = new AbortController();
        state.stopped.value = false;
        try {
          const run = await errand().runs.start(input, {
            idempotencyKey: attempts.keyOf(input, file),
            ...(file && { file, filename: file.name }),
            onProgress: (progress) => {
              state.progress.value = progress;
            },
            onRetry: (retry) => {
              state.waiting.value = retry;
            },
            signal: leaving.signal,
          });
          attempts.end();
          then(run.agentId);
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

/** Takes what is known of an earlier question. Its file has to be chosen again. */
export function askAgain(run: Run | undefined): void {
  const { question, file, model, tools, maxCredits, proof } = ask();
  question.value = run?.metadata?.question ?? '';
  file.value = undefined;
  model.value = run?.model ?? '';
  tools.value = undefined;
  maxCredits.value = '';
  proof.value = false;
}

/** A run does not say what it was asked, so its metadata do. */
const keptQuestionCharacters = 512;

export function readInput({ question, model, tools, maxCredits, proof }: AskState): NewRun {
  const asked = question.value.trim();
  return {
    question: asked,
    ...(model.value && { model: model.value }),
    ...(tools.value && { tools: tools.value as NonNullable<NewRun['tools']> }),
    ...(maxCredits.value.trim() && { maxCredits: maxCredits.value.trim() }),
    ...(proof.value && { proof: true }),
    metadata: { question: asked.slice(0, keptQuestionCharacters).toWellFormed() },
  };
}
