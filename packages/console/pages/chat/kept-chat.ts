import { effect, type Signal, signal, untracked } from '@preact/signals';
import { isKept, sessionSignal } from '../../session/session.ts';
import type { ChatAnswer, ChatState, Turn } from './conversation.ts';

/** Its number changes with the form of what is kept. */
const storageName = 'errand.chat.1';

/** Browsers give a page some five million characters for all that its tab keeps. */
const mostCharacters = 1_000_000;

const settingNames = ['draft', 'model', 'skill', 'system', 'temperature', 'maxTokens'] as const;

type Plain<T> = { [Name in keyof T]: T[Name] extends Signal<infer Value> ? Value : T[Name] };

/** As JSON, a signal is its value. */
interface KeptChat {
  turns: { question: string; answer: Plain<ChatAnswer> }[];
  /** Whether the last answer streamed. */
  busy: boolean;
  settings: string[];
}

/** Fills the chat with what the tab has kept of it, and keeps it from now on until the visitor signs out. */
export function keepChat(state: ChatState, nextTurn: () => number): void {
  const session = sessionSignal();
  const kept = isKept() && sessionStorage.getItem(storageName);
  if (kept) restore(state, JSON.parse(kept), nextTurn);
  const keep = () => {
    if (isKept() && !session.aborted) write(state);
  };
  const leave = effect(() => {
    void [state.turns.value, state.sending.busy.value];
    untracked(keep);
  });
  session.addEventListener('abort', leave);
  // The text of an answer that streams is kept when the page goes, because each piece of it is too small to write all anew.
  for (const event of ['pagehide', 'visibilitychange']) addEventListener(event, keep, { signal: session });
}

function restore(state: ChatState, { turns, busy, settings }: KeptChat, nextTurn: () => number): void {
  settingNames.forEach((name, i) => {
    state[name].value = settings[i] ?? '';
  });
  state.turns.value = turns.map(
    ({ question, answer: { text, usage, impact, model, ended } }, i): Turn => ({
      id: nextTurn(),
      question,
      answer: {
        text: signal(text),
        usage: signal(usage),
        impact: signal(impact),
        model,
        ended: signal(busy && i === turns.length - 1 ? 'failed' : ended),
      },
    }),
  );
}

/** The oldest turns go first. */
function write(state: ChatState): void {
  let turns = state.turns.value;
  const toText = () =>
    JSON.stringify({ turns, busy: state.sending.busy, settings: settingNames.map((name) => state[name]) });
  let text = toText();
  while (text.length > mostCharacters && turns.length > 0) {
    turns = turns.slice(1);
    text = toText();
  }
  try {
    sessionStorage.setItem(storageName, text);
  } catch {
    // The tab has no room left: a chat that cannot be kept goes on.
  }
}
