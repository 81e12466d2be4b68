const longestUnreadBytes = 64 * 1024;

/** Keeps what a stream delivered, for the case that it must be counted. Costs nothing but memory until then. */
export interface Delivered {
  add(chunk: Buffer): void;
  /** The text that the model wrote: content, reasoning, refusals, and the calls of tools. */
  text(): string;
}

export function createDelivered(): Delivered {
  let unread: Buffer[] = [];
  let unreadBytes = 0;
  let text = '';
  const read = () => {
    for (const chunk of unread) text += writtenText(parseChunk(chunk));
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
      return text;
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
  tool_calls?: { function?: { name?: unknown; arguments?: unknown } }[];
  function_call?: { name?: unknown; arguments?: unknown };
}

/** What the model wrote in a chunk, or in a whole answer. */
export function writtenText(chunk: unknown): string {
  const choices = (chunk as { choices?: { delta?: Written; message?: Written }[] } | null | undefined)
    ?.choices;
  if (!Array.isArray(choices)) return '';
  return choices.map((choice) => textOf(choice?.delta ?? choice?.message ?? {})).join('');
}

function textOf(written: Written): string {
  const calls = Array.isArray(written.tool_calls) ? written.tool_calls.map((call) => call?.function) : [];
  const pieces = [
    written.reasoning_content ?? written.reasoning,
    written.content,
    written.refusal,
    ...[...calls, written.function_call].flatMap((call) => [call?.name, call?.arguments]),
  ];
  return pieces.filter((piece) => typeof piece === 'string').join('');
}
