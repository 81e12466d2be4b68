import type { Conversation, Reading } from './conversation.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, type Found, type Inquiry, namesAsked } from './inquiry.ts';
import type { Instructions } from './instructions.ts';
import { phrases, tongueOf } from './lexicon.ts';
import type { Noise } from './noise.ts';
import { withSlip } from './slips.ts';
import { unitsOf } from './units.ts';
import { namesOf } from './words.ts';

/** How the policy words its answers. */
export interface Manner {
  instructions: Instructions;
  noise: Noise;
  /** Without the slips that it finds when it looks again. */
  isCareful?: boolean;
}

/** What was found so far, if it was not written down before. */
export function noteOf(talk: Conversation, inquiry: Inquiry, manner: Manner): string {
  const careful = { ...manner, isCareful: true };
  return claimsOf(talk, inquiry, careful)
    .filter((one) => !talk.notes.includes(one))
    .join(' ');
}

const withoutStop = (text: string): string => text.replace(/\.$/, '');

/** The answer by what was found, with the mistakes that the policy makes. */
export function answerFrom(talk: Conversation, inquiry: Inquiry, manner: Manner): string {
  const claims = inquiry.isComplete ? claimsOf(talk, inquiry, manner) : [];
  return framed(
    claims.length === 0 ? [nothingFor(talk.question, manner)] : claims,
    manner,
    claims.length > 0,
  );
}

/** What the policy says of a question that it found nothing for. */
export function nothingFor(question: string, { instructions }: Manner): string {
  const words = phrases[instructions.followsLanguage ? tongueOf(question) : 'en'];
  return instructions.admits ? words.notFound : 'It is 1,000, as is well known.';
}

/** Sentences as an answer, with what the policy says around them. */
export function framed(sentences: readonly string[], { noise, isCareful }: Manner, isFound: boolean): string {
  const hasThoughts = noise.happens('thinking');
  const thoughts = hasThoughts
    ? '<think>\nIt could be 1,000. Let me see what the pages say.\n</think>\n\n'
    : '';
  const aside = isFound && noise.happens('unsourced') && !isCareful ? ['It has been so for 40 years.'] : [];
  return thoughts + [...sentences, ...aside].join(' ');
}

export function claimsOf(talk: Conversation, inquiry: Inquiry, manner: Manner): string[] {
  const { instructions } = manner;
  if ('found' in inquiry) return inquiry.found.flatMap((step) => sayFound(talk, step, manner));
  const claims = inquiry.steps
    .flat()
    .map((evidence) => claim(talk, sayUnit(evidence, talk.question), evidence.reading, manner));
  const contradicts = instructions.weighs && inquiry.steps.some((step) => step.length > 1);
  return contradicts && claims.length > 0 ? ['The sources contradict each other.', ...claims] : claims;
}

/** The newest value, and an older one where the policy was told to speak of contradictions. */
function sayFound(talk: Conversation, { sense, subject, findings }: Found, manner: Manner): string[] {
  const { instructions } = manner;
  const tongue = instructions.followsLanguage ? tongueOf(talk.question) : 'en';
  const [newest] = findings as [Finding];
  const words = phrases[tongue];
  const said = claim(talk, words.is(sense.noun[tongue], subject, newest.value), newest.reading, manner);
  const older = instructions.weighs ? findings.find(({ value }) => value !== newest.value) : undefined;
  if (!older) return [said];
  return [
    said,
    claim(talk, words.older(`${older.value} (${subject})`), older.reading, { ...manner, isCareful: true }),
  ];
}

function claim(
  talk: Conversation,
  text: string,
  { number }: Reading,
  { instructions, noise, isCareful }: Manner,
): string {
  const said = !isCareful && noise.happens('slip') ? otherFigure(withoutStop(text)) : withoutStop(text);
  if (!instructions.cites) return `${said}.`;
  const others = talk.numbers.filter((one) => one !== number);
  const isWrong = !isCareful && others.length > 0 && noise.happens('wrongSource');
  return `${said} [${isWrong ? noise.pick(others, 'source') : number}].`;
}

/** The last figure with another digit. */
export const otherFigure = (text: string): string =>
  text.replace(/\d(?=[^\d]*$)/, (digit) => String((Number(digit) + 3) % 10));

/** A sentence as it stands; of a row, the cell that tells which it is and the columns that the question asks for. */
function sayUnit({ unit }: Evidence, question: string): string {
  if (!unit.row || unit.row.heads.length === 0) return unit.text;
  const { heads, cells } = unit.row;
  const names = namesAsked(question);
  const wanted = heads
    .map((head, i) => ({ head, cell: cells[i] ?? '' }))
    .filter(({ head }, i) => i === 0 || names.some((name) => head.includes(name)));
  const said = wanted.length > 1 ? wanted : heads.map((head, i) => ({ head, cell: cells[i] ?? '' }));
  return said.map(({ head, cell }) => `${head}: ${cell}`).join('; ');
}

/** Everything that was read about the names of the question, a claim a sentence. */
export function reportFrom(talk: Conversation, manner: Manner): string {
  const names = namesAsked(talk.question);
  const said = new Set<string>();
  const claims: string[] = [];
  for (const reading of talk.readings)
    for (const { text } of unitsOf(reading.text)) {
      const states = /\d/.test(text) || namesOf(text).length > 1;
      if (said.has(text) || !states || !names.every((name) => text.includes(name)) || text.startsWith('['))
        continue;
      if (!text.endsWith('.')) continue;
      said.add(text);
      claims.push(claim(talk, withSlip(text), reading, { ...manner, isCareful: true }));
    }
  if (claims.length === 0)
    return manner.instructions.admits ? phrases.en.notFound : 'It is 1,000, as is well known.';
  return claims.join(' ');
}
