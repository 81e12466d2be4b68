import { limits, type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { Refused } from './refused.ts';

/** No schema within the bounds has more: two for each level, and alternatives. */
const mostNesting = 64;

const tooLarge = () => new Refused([], `may have ${limits.outputSchemaBytes} bytes at most`);

/** Refuses what is too large or too deep to be walked by calls, step by step. */
export function boundSize(schema: OrderedJson): void {
  const waiting: { value: OrderedJson; depth: number }[] = [{ value: schema, depth: 0 }];
  let characters = 0;
  const count = (text: string) => {
    characters += text.length;
    if (!text.isWellFormed()) throw new Refused([], 'has a text that is not well-formed Unicode');
  };
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { value, depth } = at;
    if (depth > mostNesting) throw new Refused([], `is nested more than ${mostNesting} levels deep`);
    if (typeof value === 'string') count(value);
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new Refused([], 'has a number outside of the range of a double');
    if (value instanceof Map) for (const key of value.keys()) count(key);
    const inner = value instanceof Map || Array.isArray(value) ? value.values() : [];
    for (const each of inner) {
      characters++;
      if (characters > limits.outputSchemaBytes) throw tooLarge();
      waiting.push({ value: each, depth: depth + 1 });
    }
    if (characters > limits.outputSchemaBytes) throw tooLarge();
  }
  if (Buffer.byteLength(stringifyOrderedJson(schema)) > limits.outputSchemaBytes) throw tooLarge();
}
