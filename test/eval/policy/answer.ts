import { namesOf } from '../words.ts';
import type { Conversation, Reading } from './conversation.ts';
import { asked, type Evidence, type Findings } from './evidence.ts';
import { withSlip } from './slips.ts';
import { unitsOf } from './units.ts';

const notFound = 'An answer was not found in anything that was read.';

/** What was found so far, if it was not written down before. */
export function noteOf({ notes, question }: Conversation, { steps }: Findings): string {
  const claims = steps.flat().map((evidence) => claim(sayUnit(evidence, question), evidence.reading));
  return claims.filter((one) => !notes.includes(one)).join(' ');
}

const withoutStop = (text: string): string => text.replace(/\.$/, '');

/** The sentences that were found, each with its source. */
export function answerFrom(talk: Conversation, { steps, open }: Findings): string {
  if (steps.length === 0 || open.length > 0) return notFound;
  const claims = steps.flat().map((evidence) => claim(sayUnit(evidence, talk.question), evidence.reading));
  const contradict = steps.some((step) => step.length > 1) ? ['The sources contradict each other.'] : [];
  return withSources(talk, [...contradict, ...claims].join(' '));
}

const claim = (text: string, { number }: Reading): string => `${withoutStop(text)} [${number}].`;

/** A sentence as it stands; of a row, the cell that tells which it is and the columns that the question asks for. */
function sayUnit({ unit }: Evidence, question: string): string {
  if (!unit.row || unit.row.heads.length === 0) return unit.text;
  const { heads, cells } = unit.row;
  const { names } = asked(question);
  const wanted = heads
    .map((head, i) => ({ head, cell: cells[i] ?? '' }))
    .filter(({ head }, i) => i === 0 || names.some((name) => head.includes(name)));
  const said = wanted.length > 1 ? wanted : heads.map((head, i) => ({ head, cell: cells[i] ?? '' }));
  return said.map(({ head, cell }) => `${head}: ${cell}`).join('; ');
}

/** Everything that was read about the names of the question, a claim a sentence. */
export function reportFrom(talk: Conversation): string {
  const { names } = asked(talk.question);
  const said = new Set<string>();
  const claims: string[] = [];
  for (const reading of talk.readings)
    for (const { text } of unitsOf(reading.text)) {
      const states = /\d/.test(text) || namesOf(text).length > 1;
      if (said.has(text) || !states || !names.every((name) => text.includes(name)) || text.startsWith('['))
        continue;
      if (!text.endsWith('.')) continue;
      said.add(text);
      claims.push(claim(withSlip(text), reading));
    }
  return claims.length === 0 ? notFound : withSources(talk, claims.join(' '));
}

/** Names the sources where the service does not number them. */
function withSources({ isNumbered, readings }: Conversation, text: string): string {
  if (isNumbered) return text;
  const cited = new Map(readings.map(({ number, source }) => [number, source]));
  const list = [...cited].filter(([number]) => text.includes(`[${number}]`));
  return `${text}\n\nSources:\n${list.map(([number, source]) => `[${number}] ${source}`).join('\n')}`;
}
