import type { Span } from './spans.ts';

const opening = /\{\s*"|\[\s*["{[]/g;
const token = /\s+|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;
/** `[[1]]` is a marker in brackets. */
const bracketed = /^\[\s*\[[^[\]]*\]\s*\]$/;

/**
 * The objects and the nested lists of JSON in a text, wherever they stand, and all of a text that is JSON. An object that
 * breaks off lasts to where it does. In the order of their beginnings.
 */
export function jsonValues(text: string): Span[] {
  if (isJson(text)) return [{ startIndex: 0, endIndex: text.length }];
  const spans: Span[] = [];
  let from = 0;
  for (const { index } of text.matchAll(opening)) if (index >= from) from = readValue(text, index, spans);
  return spans.sort((a, b) => a.startIndex - b.startIndex);
}

/** Adds what the value that begins here has of JSON. Returns where it ends, or breaks off. */
function readValue(text: string, startIndex: number, spans: Span[]): number {
  const open: number[] = [];
  let at = startIndex;
  do {
    token.lastIndex = at;
    const sign = token.exec(text)?.[0];
    if (sign === undefined) break;
    if (sign === '{' || sign === '[') open.push(at);
    at += sign.length;
    if (sign !== '}' && sign !== ']') continue;
    const span = { startIndex: open.pop()!, endIndex: at };
    const isWhole = sign === '}' || open.length === 0;
    if (isWhole && !bracketed.test(text.slice(span.startIndex, at))) spans.push(span);
  } while (open.length > 0);
  const object = open.find((each) => text[each] === '{');
  if (object !== undefined) spans.push({ startIndex: object, endIndex: at });
  return at;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
