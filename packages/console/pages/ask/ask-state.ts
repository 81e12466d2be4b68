import type { NewRun, Progress } from '@errand/client';
import { type Signal, signal } from '@preact/signals';
import { type Action, createAction } from '../../session/action.ts';
import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';
import { errand } from '../../session/session.ts';

export interface AskState {
  question: Signal<string>;
  file: Signal<File | undefined>;
  model: Signal<string>;
  /** The tools that the run may use; undefined while it may use all. */
  tools: Signal<readonly string[] | undefined>;
  maxCredits: Signal<string>;
  proof: Signal<boolean>;
  sending: Action;
  progress: Signal<Progress | undefined>;
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
  let leaving = new AbortController();
  const state: AskState = {
    question: signal(''),
    file: signal(undefined),
    model: signal(''),
    tools: signal(undefined),
    maxCredits: signal(''),
    proof: signal(false),
    sending,
    progress: signal(undefined),
    start: (then) =>
      void sending.run(async () => {
        const file = state.file.peek();
        leaving = new AbortController();
        try {
          const run = await errand().runs.start(readInput(state), {
            ...(file && { file, filename: file.name }),
            onProgress: (progress) => {
              state.progress.value = progress;
            },
            signal: leaving.signal,
          });
          then(run.agentId);
        } finally {
          state.progress.value = undefined;
        }
      }),
    stop: () => leaving.abort(),
  };
  return state;
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
