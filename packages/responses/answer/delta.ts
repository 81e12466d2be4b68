import type { Part } from './items.ts';

/** A piece of text that a model wrote. */
export interface TextPiece {
  type: Part['type'];
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
  const add = (type: Part['type'], text: unknown) => {
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
  add: (type: Part['type'], text: unknown) => void,
): void {
  const thinking = part?.thinking;
  if (Array.isArray(thinking)) for (const each of thinking) add('reasoning_text', each?.text);
  else if (thinking) add('reasoning_text', thinking);
  else add('output_text', part?.text);
}

export const callPieces = ({ tool_calls }: Delta): CallPiece[] =>
  Array.isArray(tool_calls) ? tool_calls.filter((call) => typeof call === 'object' && call !== null) : [];

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
