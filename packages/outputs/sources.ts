import { limits, type OrderedJson } from '@errand/platform';
import { pointerStep, stepsOf, valueAt } from './pointers.ts';

const mostEntries = 2 * limits.basisFields;
const mostNumbers = 32;
const pointerCharacters = 1_024;

/** The numbers of sources by the pointers of a value that they are given for. What means nothing in the value is left out. */
export function readSources(
  sent: OrderedJson | undefined,
  value: OrderedJson,
): Map<string, readonly number[]> {
  const read = new Map<string, readonly number[]>();
  for (const [place, numbers] of entriesOf(sent)) {
    const pointer = typeof place === 'string' ? meant(place, value) : undefined;
    if (pointer === undefined) continue;
    const all = new Set([...(read.get(pointer) ?? []), ...numbersIn(numbers)]);
    if (all.size > 0) read.set(pointer, [...all].slice(0, mostNumbers));
  }
  return read;
}

/** Pairs of a pointer and its numbers. An object from pointers to numbers is taken too. */
function entriesOf(sent: OrderedJson | undefined): [OrderedJson | undefined, OrderedJson | undefined][] {
  if (sent instanceof Map) return [...sent].slice(0, mostEntries);
  if (!Array.isArray(sent)) return [];
  return sent
    .slice(0, mostEntries)
    .flatMap((each) => (each instanceof Map ? [[each.get('pointer'), each.get('numbers')]] : []));
}

/** The pointer of what a model names: as it is, as a fragment (`#/a`), from the form's root (`/value/a`), or as a path (`a.b[3]`). */
function meant(text: string, value: OrderedJson): string | undefined {
  if (text.length > pointerCharacters) return undefined;
  const plain = text.trim().replace(/^#/, '');
  for (const steps of [stepsOf(text), stepsOf(plain), stepsOf(decoded(plain)), stepsOf(asPointer(plain))])
    for (const from of steps[0] === 'value' ? [steps, steps.slice(1)] : [steps])
      if ((steps.length > 0 || plain === '') && valueAt(value, from) !== undefined)
        return from.map(pointerStep).join('');
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const asPointer = (text: string): string =>
  `/${text
    .replace(/^[$/.]+/, '')
    .replaceAll(/\[["']?([^[\]"']*)["']?\]/g, '.$1')
    .replaceAll('.', '/')
    .replace(/^\/+/, '')}`;

function numbersIn(sent: OrderedJson | undefined): number[] {
  const all = Array.isArray(sent) ? sent.slice(0, mostNumbers) : [sent];
  return all.flatMap((each) => {
    const texts = typeof each === 'string' ? (each.slice(0, 200).match(/\d+/g) ?? []) : [each];
    return texts
      .map((text) => (typeof text === 'string' || typeof text === 'number' ? Number(text) : Number.NaN))
      .filter((number) => Number.isSafeInteger(number) && number >= 0);
  });
}
