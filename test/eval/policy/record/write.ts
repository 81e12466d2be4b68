import { fractionOf } from '../../random.ts';
import type { Conversation } from '../conversation.ts';
import { type FieldPart, type Form, mayBeNull, type Part } from './form.ts';
import { cellFor, type Found, lookUp, lookUpNear, type Search, tableIn } from './look-up.ts';

/** What can go wrong with a field. */
export type Slip = 'slip' | 'cellSlip' | 'wrongSource' | 'guess';

/** How the policy writes a value. */
export interface Pen {
  /** Whether it makes this mistake with the field. */
  errs(slip: Slip, pointer: string): boolean;
  /** It knows that each field has to have a value of its type. */
  mustFill: boolean;
}

export interface Written {
  value: unknown;
  sources: { pointer: string; numbers: number[] }[];
}

type Scalar = string | number | boolean | null;

/** A field that is left out. */
const absent = Symbol('absent');

/** The value by what was found, with the numbers of its sources. */
export function writeValue({ value: root }: Form, search: Search, pen: Pen): Written {
  const sources: Written['sources'] = [];
  const cite = (pointer: string, number: number) => sources.push({ pointer, numbers: [number] });
  const write = (part: Part, pointer: string, isRequired: boolean): unknown => {
    switch (part.kind) {
      case 'object': {
        const entries = part.properties.map(({ key, part: one, isRequired: must }) => [
          key,
          write(one, `${pointer}/${key}`, must),
        ]);
        return Object.fromEntries(entries.filter(([, one]) => one !== absent));
      }
      case 'list':
        return writeRows(part.item, pointer, search, pen, cite);
      case 'field':
        return writeField(part, { pointer, isRequired }, search, pen, cite);
    }
  };
  return { value: write(root, '', true), sources };
}

type Cite = (pointer: string, number: number) => void;

function writeField(
  field: FieldPart,
  { pointer, isRequired }: { pointer: string; isRequired: boolean },
  search: Search,
  pen: Pen,
  cite: Cite,
): Scalar | typeof absent {
  const known = lookUp(field, search);
  const guessed = !known && pen.errs('guess', pointer) ? guess(field, pointer, search) : undefined;
  const found = known ?? guessed;
  if (!found) return isRequired ? fillers(field, pen) : absent;
  if (!Number.isNaN(found.number)) cite(pointer, sourceOf(found, pointer, search.talk, pen));
  const text = known && pen.errs('slip', pointer) ? otherDigit(found.text) : found.text;
  return typed(text, field);
}

function sourceOf({ number }: Found, pointer: string, { numbers }: Conversation, pen: Pen): number {
  const others = numbers.filter((one) => one !== number);
  const isWrong = others.length > 0 && pen.errs('wrongSource', pointer);
  return isWrong ? others[Math.floor(fractionOf(pointer) * others.length)]! : number;
}

/** What is near, or a number out of the air, with a source of the subject or none. */
function guess(field: FieldPart, pointer: string, search: Search): Found {
  const near = lookUpNear(field, search);
  if (near) return near;
  const chance = fractionOf(`${search.subject} ${pointer}`);
  const page = search.talk.readings.find(({ title }) => title.includes(search.subject));
  const isFigure = field.types.some((type) => type === 'integer' || type === 'number');
  return {
    text: isFigure ? String(10 + Math.floor(890 * chance)) : 'Kelvin',
    number: page && chance < 0.5 ? page.number : Number.NaN,
  };
}

/** What stands where nothing was found. */
function fillers(field: FieldPart, { mustFill }: Pen): Scalar {
  if (mayBeNull(field) || !mustFill) return null;
  const [type] = field.types;
  return type === 'string' ? 'unknown' : type === 'boolean' ? false : 0;
}

function writeRows(item: Part, pointer: string, { talk }: Search, pen: Pen, cite: Cite): unknown[] {
  const table = tableIn(talk);
  if (!table || item.kind !== 'object') return [];
  cite(pointer, table.reading.number);
  return table.rows.map((row, i) =>
    Object.fromEntries(
      item.properties.map(({ key, part }) => {
        if (part.kind !== 'field') return [key, null];
        const cell = cellFor(part, row);
        const place = `${pointer}/${i}/${key}`;
        if (/^\W*$/.test(cell)) return [key, pen.errs('guess', place) ? typed('12', part) : null];
        return [key, typed(pen.errs('cellSlip', place) ? otherDigit(cell) : cell, part)];
      }),
    ),
  );
}

/** The last figure with another digit. */
const otherDigit = (text: string): string =>
  text.replace(/\d(?=[^\d]*$)/, (digit) => String((Number(digit) + 3) % 10));

function typed(text: string, { types, members }: FieldPart): Scalar {
  if (types.includes('boolean')) return /^(?:open|yes|true)$/i.test(text);
  if (types.includes('integer') || types.includes('number')) return Number(text.replaceAll(',', ''));
  const member = members.find((one) => String(one).toLowerCase() === text.toLowerCase());
  return (member as Scalar | undefined) ?? text;
}
