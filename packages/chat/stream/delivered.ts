const longestUnreadBytes = 64 * 1024;

/** Keeps what a stream delivered, for the case that it must be counted. Costs nothing but memory until then. */
export interface Delivered {
  add(chunk: Buffer): void;
  /** The text that the model wrote, choice by choice: content, reasoning, refusals, and the calls of tools. */
  text(): string;
}

export function createDelivered(): Delivered {
  let unread: Buffer[] = [];
  let unreadBytes = 0;
  const texts = new Map<number, string>();
  const read = () => {
    for (const chunk of unread) addWritten(texts, parseChunk(chunk));
    unread = [];
    unreadBytes = 0;
  };
  return {
    add(chunk) {
      unread.push(chunk);
      unreadBytes += chunk.length;
      // Bounds what a long stream holds: the text is a small part of its chunks.
      if (unreadBytes > longestUnreadBytes) read();
    },
    text() {
      read();
      return [...texts.values()].join('');
    },
  };
}

/** A chunk is passed on without being parsed, so it may turn out here to be none. */
function parseChunk(chunk: Buffer): unknown {
  try {
    return JSON.parse(chunk.toString('utf8'));
  } catch {
    return undefined;
  }
}

interface Written {
  content?: unknown;
  reasoning?: unknown;
  reasoning_content?: unknown;
  refusal?: unknown;
  tool_calls?: ({ function?: WrittenCall; custom?: WrittenCall } | null)[];
  function_call?: WrittenCall;
  audio?: { transcript?: unknown };
}

interface WrittenCall {
  name?: unknown;
  arguments?: unknown;
  input?: unknown;
}

/** What the model wrote in a whole answer. */
export function writtenText(answer: unknown): string {
  const texts = new Map<number, string>();
  addWritten(texts, answer);
  return [...texts.values()].join('');
}

/** Adds what a chunk or an answer has of each choice, by the choice's index: chunks of several choices alternate. */
function addWritten(texts: Map<number, string>, chunk: unknown): void {
  const choices = (
    chunk as
      | { choices?: ({ index?: unknown; delta?: Written; message?: Written } | null)[] }
      | null
      | undefined
  )?.choices;
  if (!Array.isArray(choices)) return;
  for (const [position, choice] of choices.entries()) {
    const index = typeof choice?.index === 'number' ? choice.index : position;
    texts.set(index, (texts.get(index) ?? '') + textOf(choice?.delta ?? choice?.message ?? {}));
  }
}

function textOf(written: Written): string {
  const calls = Array.isArray(written.tool_calls)
    ? written.tool_calls.map((call) => call?.function ?? call?.custom)
    : [];
  return [
    plainText(written.reasoning_content) || plainText(written.reasoning),
    plainText(written.content),
    plainText(written.refusal),
    plainText(written.audio?.transcript),
    ...[...calls, written.function_call].flatMap((call) => [
      plainText(call?.name),
      argumentsText(call?.arguments),
      plainText(call?.input),
    ]),
  ].join('');
}

/** Text, or a list of parts that have text in them, as Mistral's reasoning models write. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(plainText).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { text, thinking } = value as { text?: unknown; thinking?: unknown };
  return plainText(text ?? thinking);
}

const argumentsText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : plainText(value);
