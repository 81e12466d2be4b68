import { effect, type Signal, signal, untracked } from '@preact/signals';
import { isKept, sessionSignal } from '../../session/session.ts';
import type { ChatAnswer, ChatState, Turn } from './chat-state.ts';

/** Its number changes with the form of what is kept. */
const storageName = 'errand.chat.1';

/** Browsers give a page some five million characters for all that its tab keeps. */
const mostCharacters = 1_000_000;

const settingNames = ['draft', 'model', 'skill', 'system', 'temperature', 'maxTokens'] as const;

interface KeptAnswer {
  text: string;
  usage?: Plain<ChatAnswer['usage']>;
  impact?: Plain<ChatAnswer['impact']>;
  model: string;
  ended: Plain<ChatAnswer['ended']>;
}

interface KeptChat {
  turns: readonly { question: string; answer: KeptAnswer }[];
  settings: Record<(typeof settingNames)[number], string>;
}

type Plain<S> = S extends Signal<infer T> ? T : never;

/** Fills the chat with what the tab has kept of it, and keeps it from now on until the visitor signs out. */
export function keepChat(state: ChatState, nextTurn: () => number): void {
  const session = sessionSignal();
  const kept = isKept() ? readKept() : undefined;
  if (kept) {
    state.turns.value = kept.turns.map((turn) => toTurn(turn, nextTurn()));
    for (const name of settingNames) state[name].value = kept.settings[name];
  }
  const keep = () => {
    if (isKept() && !session.aborted) write(toKept(state));
  };
  const leave = effect(() => {
    void [state.turns.value, state.sending.busy.value];
    untracked(keep);
  });
  session.addEventListener('abort', leave);
  // The text of an answer that streams is kept when the page goes, because each piece of it is too small to write all anew.
  for (const event of ['pagehide', 'visibilitychange']) addEventListener(event, keep, { signal: session });
}

function readKept(): KeptChat | undefined {
  const text = sessionStorage.getItem(storageName);
  return text === null ? undefined : JSON.parse(text);
}

/** The oldest turns go first. */
function write(chat: KeptChat): void {
  let { turns } = chat;
  let text = JSON.stringify(chat);
  while (text.length > mostCharacters && turns.length > 0) {
    turns = turns.slice(1);
    text = JSON.stringify({ ...chat, turns });
  }
  try {
    sessionStorage.setItem(storageName, text);
  } catch {
    // The tab has no room left: a chat that cannot be kept goes on.
    sessionStorage.removeItem(storageName);
  }
}

function toKept(state: ChatState): KeptChat {
  const turns = state.turns.peek();
  const settings = settingNames.map((name) => [name, state[name].peek()]);
  return {
    turns: turns.map(({ question, answer }, i) => ({
      question,
      answer: {
        text: answer.text.peek(),
        usage: answer.usage.peek(),
        impact: answer.impact.peek(),
        model: answer.model,
        ended: state.sending.busy.peek() && i === turns.length - 1 ? 'failed' : answer.ended.peek(),
      },
    })),
    settings: Object.fromEntries(settings),
  };
}

const toTurn = ({ question, answer }: KeptChat['turns'][number], id: number): Turn => ({
  id,
  question,
  answer: {
    text: signal(answer.text),
    usage: signal(answer.usage),
    impact: signal(answer.impact),
    model: answer.model,
    ended: signal(answer.ended),
  },
});
