import type { ChatRequest } from '@errand/client';
import { type Signal, signal } from '@preact/signals';
import { createAction } from '../../session/action.ts';
import { balance } from '../../session/balance.ts';
import { perKey } from '../../session/per-key.ts';
import { errand, sessionSignal } from '../../session/session.ts';
import { models } from '../models/models-state.ts';
import type { ChatAnswer, ChatState, Turn } from './conversation.ts';
import { keepChat } from './kept-chat.ts';
import { takeTogether } from './take-together.ts';

/** The cost of an answer is worked out from prices that are not older. */
const pricesMilliseconds = 5 * 60_000;

export const chat = perKey(createChatState);

function createChatState(): ChatState {
  let leaving = new AbortController();
  const sending = createAction();
  const state: ChatState = {
    turns: signal([]),
    draft: signal(''),
    edited: signal(undefined),
    model: signal(''),
    skill: signal(''),
    system: signal(''),
    temperature: signal(''),
    maxTokens: signal(''),
    sending,
    send(model) {
      const question = state.draft.peek().trim();
      if (question === '' || sending.busy.peek()) return;
      state.draft.value = '';
      leaving = new AbortController();
      ask(state, { model, question, before: state.turns.peek(), leaving }, () => {
        if (state.draft.peek() === '') state.draft.value = question;
      });
    },
    sendEdited(model) {
      const edited = state.edited.peek();
      const question = edited?.text.trim();
      if (!edited || !question || sending.busy.peek()) return;
      const turns = state.turns.peek();
      const before = turns.slice(
        0,
        turns.findIndex(({ id }) => id === edited.turn),
      );
      state.edited.value = undefined;
      leaving = new AbortController();
      ask(state, { model, question, before, leaving }, () => {
        state.edited.value = edited;
      });
    },
    stop: () => leaving.abort(),
    clear() {
      leaving.abort();
      sending.forget();
      state.edited.value = undefined;
      state.turns.value = [];
    },
  };
  keepChat(state, nextTurn);
  return state;
}

interface Asked {
  model: string;
  question: string;
  /** The turns that go before it. */
  before: readonly Turn[];
  leaving: AbortController;
}

let lastTurn = 0;
const nextTurn = (): number => ++lastTurn;

/** Asks after these turns. A question without an answer leaves the turns as they were, and is taken back. */
function ask(state: ChatState, { model, question, before, leaving }: Asked, takeBack: () => void): void {
  const body = readRequest(state, model, question, before);
  const answer = newAnswer(model);
  const asked = state.turns.peek();
  const turns = [...before, { id: nextTurn(), question, answer }];
  state.turns.value = turns;
  models().need(pricesMilliseconds);
  const signal = AbortSignal.any([leaving.signal, sessionSignal()]);
  void state.sending.run(async () => {
    try {
      await readAnswer(body, answer, signal);
    } catch (error) {
      if (answer.text.peek() === '' && state.turns.peek() === turns) {
        state.turns.value = asked;
        takeBack();
      }
      throw error;
    } finally {
      void balance().load();
    }
  });
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
export function readRequest(
  state: ChatState,
  model: string,
  question: string,
  before: readonly Turn[],
): ChatRequest {
  const system = state.system.value.trim();
  const skill = state.skill.value;
  const number = ({ value }: Signal<string>) => (value.trim() === '' ? undefined : Number(value));
  const temperature = number(state.temperature);
  const maxTokens = number(state.maxTokens);
  return {
    model,
    messages: [
      ...(system ? [{ role: 'system', content: system }] : []),
      ...before.flatMap((turn) =>
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
