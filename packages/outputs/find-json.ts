import { checkJsonSize, DomainError, limits, type OrderedJson, parseOrderedJson } from '@errand/platform';

const opening = /\{\s*["}]/g;
const token = /\s+|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/y;

/** No schema within the bounds asks for more, unless it refers to itself. */
const mostLevels = 128;

/** The objects of JSON in a text that are in no other one, in their order. The text alone, if it is JSON. Takes linear time. */
export function jsonObjects(text: string): OrderedJson[] {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const found: OrderedJson[] = [];
  let from = 0;
  for (const { index } of text.matchAll(opening)) {
    if (index < from) continue;
    const { endIndex, isWhole } = objectAt(text, index);
    from = endIndex;
    const value = isWhole ? parsed(text.slice(index, endIndex)) : undefined;
    if (value !== undefined) found.push(value);
  }
  return found;
}

/** Where the object that begins here ends, or breaks off. */
function objectAt(text: string, startIndex: number): { endIndex: number; isWhole: boolean } {
  let open = 0;
  token.lastIndex = startIndex;
  for (;;) {
    const at = token.lastIndex;
    const sign = token.exec(text)?.[0];
    if (sign === undefined) return { endIndex: at + 1, isWhole: false };
    if (sign === '{' || sign === '[') open++;
    if (sign === '}' || sign === ']') open--;
    if (open === 0) return { endIndex: token.lastIndex, isWhole: true };
  }
}

function parsed(text: string): OrderedJson | undefined {
  try {
    checkJsonSize(text, { limitLevels: mostLevels, mostEntries: limits.valueEntries });
    return parseOrderedJson(text).value;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return undefined;
  }
}
