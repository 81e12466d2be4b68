/** A piece of text that a model wrote. */
export interface TextPiece {
  type: 'output_text' | 'refusal' | 'reasoning_text';
  text: string;
}

export interface CallPiece {
  index?: unknown;
  id?: unknown;
  type?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
  custom?: { name?: unknown; input?: unknown } | null;
}

/** A message of a chat completion, whole or a piece of it: what servers of several makes write. */
export interface Delta {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  refusal?: unknown;
  annotations?: unknown;
  tool_calls?: unknown;
}

/** The texts of a delta in the order in which they are read. */
export function textPieces({ content, reasoning_content, reasoning, refusal }: Delta): TextPiece[] {
  const pieces: TextPiece[] = [];
  const add = (type: TextPiece['type'], text: unknown) => {
    if (typeof text === 'string' && text !== '') pieces.push({ type, text });
  };
  // Some servers send the same under both names.
  add('reasoning_text', reasoning_content || reasoning);
  if (Array.isArray(content)) for (const part of content) addPart(part, add);
  else add('output_text', content);
  add('refusal', refusal);
  return pieces;
}

/** Mistral's models that think write parts. */
function addPart(
  part: { type?: unknown; text?: unknown; thinking?: unknown } | null,
  add: (type: TextPiece['type'], text: unknown) => void,
): void {
  const thinking = part?.thinking;
  if (Array.isArray(thinking)) for (const each of thinking) add('reasoning_text', each?.text);
  else if (thinking) add('reasoning_text', thinking);
  else add('output_text', part?.text);
}

export const callPieces = ({ tool_calls }: Delta): CallPiece[] =>
  Array.isArray(tool_calls) ? tool_calls.filter((call) => typeof call === 'object' && call !== null) : [];

/**
 * Tells which call a piece belongs to: `open` is asked for a call that no piece before has told of. Some servers give every call the
 * same index, or none.
 */
export function createCallFinder<Call>(open: (piece: CallPiece) => Call): (piece: CallPiece) => Call {
  const latest = new Map<unknown, { id: unknown; call: Call }>();
  let last: { id: unknown; call: Call } | undefined;
  return (piece) => {
    const { index, id } = piece;
    const known = index === undefined ? last : latest.get(index);
    const isNew = typeof id === 'string' && id !== '' && known?.id !== id;
    if (known && !isNew) return known.call;
    last = { id: id || undefined, call: open(piece) };
    latest.set(index, last);
    return last.call;
  };
}

/** Arguments as JSON: some servers send the object. */
export const argumentsOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
};

/** What a model cites, as parts of messages have it. */
export const annotationsOf = ({ annotations }: Delta): object[] =>
  (Array.isArray(annotations) ? annotations : []).flatMap((each: { url_citation?: object } | null) =>
    each?.url_citation ? [{ type: 'url_citation', ...each.url_citation }] : [],
  );
