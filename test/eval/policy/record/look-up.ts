import type { Conversation, Reading } from '../conversation.ts';
import { follow, type Inquiry, stepsOf, subjectIn, yearIn } from '../inquiry.ts';
import type { Instructions } from '../instructions.ts';
import { unitsOf } from '../units.ts';
import { fieldSenses } from './field-senses.ts';
import type { FieldPart, Form, Part } from './form.ts';

/** What was found for a field, and in which source. */
export interface Found {
  text: string;
  number: number;
}

export interface Search {
  subject: string;
  talk: Conversation;
  instructions: Instructions;
}

/** What the question wants a record of. */
export const subjectOf = ({ question }: Conversation): string =>
  subjectIn(question.replace(/^(?:Fill|List)\b/, '')) ?? '';

/** Undefined for a field that names the subject itself. */
export function inquiryFor(
  { text }: FieldPart,
  { subject, talk, instructions }: Search,
): Inquiry | undefined {
  const all = stepsOf(text, fieldSenses);
  // `first held` is no question for the place where something is held.
  const senses = all.filter(
    ({ words }) => !all.some((other) => other.words !== words && other.words.includes(words)),
  );
  return senses.length === 0
    ? undefined
    : follow(talk, { subject, year: yearIn(text), senses }, instructions);
}

export function lookUp(field: FieldPart, search: Search): Found | undefined {
  const { talk, subject } = search;
  const inquiry = inquiryFor(field, search);
  if (!inquiry) {
    const reading = talk.readings.find(({ title, text }) => `${title} ${text}`.includes(subject));
    return { text: subject, number: reading?.number ?? 0 };
  }
  if (!inquiry.isComplete || !('found' in inquiry)) return undefined;
  const [newest] = inquiry.found.at(-1)!.findings;
  return newest && { text: newest.value, number: newest.reading.number };
}

/** What a page says of something with nearly the same name. */
export function lookUpNear(field: FieldPart, search: Search): Found | undefined {
  const { subject, talk } = search;
  const [first = ''] = subject.split(' ');
  const others = talk.readings
    .map(({ title }) => subjectIn(title))
    .filter((name) => name !== undefined && name !== subject && name.split(' ')[0] === first);
  return others.map((name) => lookUp(field, { ...search, subject: name! })).find(Boolean);
}

interface TableRow {
  heads: readonly string[];
  cells: readonly string[];
}

/** The longest table that was read. */
export function tableIn({ readings }: Conversation): { rows: TableRow[]; reading: Reading } | undefined {
  const tables = readings.map((reading) => ({
    reading,
    rows: unitsOf(reading.text).flatMap(({ row }) =>
      row && row.heads.length > 0 && row.cells.join() !== row.heads.join() ? [row] : [],
    ),
  }));
  const [longest] = tables.toSorted((one, other) => other.rows.length - one.rows.length);
  return longest && longest.rows.length > 0 ? longest : undefined;
}

/** The cell that the field speaks of. */
export const cellFor = ({ description }: FieldPart, { heads, cells }: TableRow): string =>
  cells[heads.findIndex((head) => head !== '' && description.toLowerCase().includes(head.toLowerCase()))] ??
  '';

/** The fields that are looked up one by one. */
export const singleFields = (part: Part): FieldPart[] => {
  switch (part.kind) {
    case 'object':
      return part.properties.flatMap(({ part: one }) => singleFields(one));
    case 'list':
      return [];
    case 'field':
      return [part];
  }
};

export const hasList = ({ value }: Form): boolean => /"list"/.test(JSON.stringify(value));
