import type { ChatChunk, ChatRequest } from '@errand/client';
import { type Signal, signal } from '@preact/signals';
import { type Action, createAction } from '../../session/action.ts';
import { balance } from '../../session/balance.ts';
import { perKey } from '../../session/per-key.ts';
import { errand, sessionSignal } from '../../session/session.ts';
import { models } from '../models/models-state.ts';
import { takeTogether } from './take-together.ts';

export interface ChatAnswer {
  text: Signal<string>;
  usage: Signal<ChatChunk['usage'] | undefined>;
  impact: Signal<ChatChunk['impact'] | undefined>;
  /** The id of the model that gave the answer. */
  model: string;
  /** The reason why the answer ended early. */
  ended: Signal<'' | 'stopped' | 'cut' | 'failed'>;
}

export interface Turn {
  id: number;
  question: string;
  answer: ChatAnswer;
}

export interface ChatState {
  turns: Signal<readonly Turn[]>;
  draft: Signal<string>;
  model: Signal<string>;
  skill: Signal<string>;
  system: Signal<string>;
  temperature: Signal<string>;
  maxTokens: Signal<string>;
  sending: Action;
  send(model: string): void;
  stop(): void;
  clear(): void;
}

/** The cost of an answer is worked out from prices that are not older. */
const pricesMilliseconds = 5 * 60_000;

export const chat = perKey(createChatState);

function createChatState(): ChatState {
  let leaving = new AbortController();
  let turns = 0;
  const sending = createAction();
  const state: ChatState = {
    turns: signal([]),
    draft: signal(''),
    model: signal(''),
    skill: signal(''),
    system: signal(''),
    temperature: signal(''),
    maxTokens: signal(''),
    sending,
    send(model) {
      const question = state.draft.peek().trim();
      if (question === '' || sending.busy.peek()) return;
      const body = readRequest(state, model, question);
      const answer = newAnswer(model);
      state.turns.value = [...state.turns.peek(), { id: ++turns, question, answer }];
      state.draft.value = '';
      leaving = new AbortController();
      models().need(pricesMilliseconds);
      const signal = AbortSignal.any([leaving.signal, sessionSignal()]);
      void sending.run(async () => {
        try {
          await readAnswer(body, answer, signal);
        } catch (error) {
          if (answer.text.peek() === '') takeBack(state, question);
          throw error;
        } finally {
          void balance().load();
        }
      });
    },
    stop: () => leaving.abort(),
    clear() {
      leaving.abort();
      sending.forget();
      state.turns.value = [];
    },
  };
  return state;
}

/** A question without an answer is put back into the field. */
function takeBack({ turns, draft }: ChatState, question: string): void {
  turns.value = turns.peek().slice(0, -1);
  if (draft.peek() === '') draft.value = question;
}

const newAnswer = (model: string): ChatAnswer => ({
  text: signal(''),
  usage: signal(undefined),
  impact: signal(undefined),
  model,
  ended: signal(''),
});

async function readAnswer(body: ChatRequest, answer: ChatAnswer, signal: AbortSignal): Promise<void> {
  const text = takeTogether((more) => {
    answer.text.value += more;
  });
  try {
    for await (const { choices, usage, impact } of errand().chat.stream(body, { signal })) {
      text.take(choices[0]?.delta.content ?? '');
      if (usage) answer.usage.value = usage;
      if (impact) answer.impact.value = impact;
      if (choices[0]?.finish_reason === 'length') answer.ended.value = 'cut';
    }
  } catch (error) {
    answer.ended.value = signal.aborted ? 'stopped' : 'failed';
    throw error;
  } finally {
    text.flush();
  }
}

/** The conversation so far with the new question. Questions without an answer are left out. */
export function readRequest(state: ChatState, model: string, question: string): ChatRequest {
  const system = state.system.value.trim();
  const skill = state.skill.value;
  const number = ({ value }: Signal<string>) => (value.trim() === '' ? undefined : Number(value));
  const temperature = number(state.temperature);
  const maxTokens = number(state.maxTokens);
  return {
    model,
    messages: [
      ...(system ? [{ role: 'system', content: system }] : []),
      ...state.turns.value.flatMap((turn) =>
        turn.answer.text.value
          ? [
              { role: 'user', content: turn.question },
              { role: 'assistant', content: turn.answer.text.value },
            ]
          : [],
      ),
      { role: 'user', content: question },
    ],
    skills: skill || undefined,
    temperature,
    max_tokens: maxTokens,
  };
}
