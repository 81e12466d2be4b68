import { countTokens } from '@errand/models';

/** The most text that is kept uncounted. Most answers have far less. */
const longestUncountedCharacters = 1024 * 1024;

/** Collects the text that the model writes, in case its tokens must be counted here. */
export interface WrittenText {
  /** Adds the text of a chunk or of a whole answer. False if it has none. */
  add(answer: unknown): boolean;
  countTokens(): Promise<number>;
  /** The bytes of what was written as reasoning. It has no more tokens. */
  reasoningBytes(): number;
  /**
   * The tokens that were counted so far, plus those of the rest if each token has this many bytes. With 1 byte a
   * token, the result is the most that the text can have.
   */
  mostTokens(bytesPerToken?: number): number;
}

/** Keeps the text of each choice apart, since chunks of several choices alternate. */
export function createWrittenText(): WrittenText {
  let texts = new Map<number, string>();
  let characters = 0;
  let counted: Promise<number> | undefined;
  let [countedTokens, uncountedBytes, reasoningBytes] = [0, 0, 0];
  const count = (): Promise<number> => {
    const text = [...texts.values()].join('');
    texts = new Map();
    characters = 0;
    const bytes = Buffer.byteLength(text);
    const before = counted ?? Promise.resolve(0);
    counted = Promise.all([before, countTokens(text)]).then(([sum, tokens]) => {
      uncountedBytes -= bytes;
      countedTokens = sum + tokens;
      return countedTokens;
    });
    return counted;
  };
  return {
    add(answer) {
      const { choices } = (answer ?? {}) as { choices?: Choice[] };
      if (!Array.isArray(choices)) return false;
      let added = false;
      for (let position = 0; position < choices.length; position++) {
        const choice = choices[position] as Choice;
        const message = choice?.delta ?? choice?.message;
        const text = textOf(message);
        if (text === '') continue;
        const index = typeof choice?.index === 'number' ? choice.index : position;
        texts.set(index, (texts.get(index) ?? '') + text);
        characters += text.length;
        uncountedBytes += Buffer.byteLength(text);
        reasoningBytes += Buffer.byteLength(reasoningOf(message));
        added = true;
      }
      // Counting bounds the text that a long stream holds. A failure reaches whoever calls `countTokens` later.
      if (characters > longestUncountedCharacters) count().catch(() => {});
      return added;
    },
    countTokens: count,
    reasoningBytes: () => reasoningBytes,
    mostTokens: (bytesPerToken = 1) => countedTokens + uncountedBytes / bytesPerToken,
  };
}

type Choice = { index?: unknown; delta?: Message; message?: Message } | null;

interface Message {
  content?: unknown;
  reasoning?: unknown;
  reasoning_content?: unknown;
  refusal?: unknown;
  tool_calls?: ({ function?: Call; custom?: Call } | null)[];
  function_call?: Call;
  audio?: { transcript?: unknown };
}

interface Call {
  name?: unknown;
  arguments?: unknown;
  input?: unknown;
}

const reasoningOf = (message: Message | null | undefined): string =>
  plainText(message?.reasoning_content) || plainText(message?.reasoning);

/** Content, reasoning, refusals, and the calls of tools. */
export function textOf(message: Message | null | undefined): string {
  if (typeof message !== 'object' || message === null) return '';
  let text =
    reasoningOf(message) +
    plainText(message.content) +
    plainText(message.refusal) +
    plainText(message.audio?.transcript);
  if (Array.isArray(message.tool_calls))
    for (const call of message.tool_calls) text += callText(call?.function ?? call?.custom);
  return text + callText(message.function_call);
}

const callText = (call: Call | null | undefined): string =>
  call ? plainText(call.name) + argumentsText(call.arguments) + plainText(call.input) : '';

/** The text of a string or of a list of parts with text in them, as Mistral's reasoning models write. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.map(plainText).join('');
  const { text, thinking } = value as { text?: unknown; thinking?: unknown };
  return plainText(text ?? thinking);
}

const argumentsText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : plainText(value);
