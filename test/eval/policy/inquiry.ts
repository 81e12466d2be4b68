import type { Conversation, Reading } from './conversation.ts';
import { asked, type Evidence, gather } from './evidence.ts';
import type { Instructions } from './instructions.ts';
import { denial, type Sense, senses } from './lexicon.ts';
import { type Unit, unitsOf } from './units.ts';
import { stemsOf } from './words.ts';

/** What the policy understood of a question, and what it has found for it. */
export type Inquiry = Plain | Understood;

interface Common {
  isComplete: boolean;
  /** What to look for next, in other and other words. */
  wordings: readonly string[];
  names: readonly string[];
}

/** A question whose words the policy does not know: it looks for the sentence that shares most of them. */
interface Plain extends Common {
  steps: readonly (readonly Evidence[])[];
}

/** A question for something of a subject, or of what another answer names. */
interface Understood extends Common {
  found: readonly Found[];
}

/** What was found for one step: the newest first. */
export interface Found {
  sense: Sense;
  subject: string;
  findings: readonly Finding[];
}

export interface Finding {
  value: string;
  reading: Reading;
  /** The day or year that it is of, as a text that sorts. */
  date: string;
}

/** What is known of a subject though no material that was read is there any more. */
type Recall = (sense: Sense, subject: string) => readonly Finding[];

export function inquire(talk: Conversation, instructions: Instructions, recall?: Recall): Inquiry {
  const chain = understand(talk.question);
  return chain ? follow(talk, chain, instructions, recall) : look(talk);
}

function look({ question, readings }: Conversation): Plain {
  const { steps, open, names } = gather(question, readings);
  const words = question.match(/\p{L}+|\d[\d,.]*\d|\d/gu) ?? [];
  const wanted = words.filter((word) => stemsOf(word).some((stem) => open.includes(stem)));
  const query = [...new Set([...names, ...wanted])].join(' ');
  return {
    steps,
    isComplete: open.length === 0,
    wordings: [...new Set([query, names.join(' ')])].filter(Boolean),
    names,
  };
}

export interface Chain {
  subject: string;
  year: string | undefined;
  /** What is asked of the subject first, then of the answer to that. */
  senses: readonly { sense: Sense; words: string }[];
}

/** Words that begin a question, or name a kind of thing, and are no names. */
const noNames =
  /\b(?:Wie|Wer|Wo|Wann|Welche[nrs]?|An|Auf|In|Im|Jahr|Quelle?|Qui|Où|Combien|Cuánt[oa]s?|Quién|Dónde|Qué|Which|Who|Where|How|What|When|By|As|On|Of|Ort|Stadt|Firma|Metern?|Kronen|Name)\b/g;

/** Words that are of a subject's name though they are small: `the Tarvel pump`. */
const thing = / (?:pump|lantern|loom|winch|barometer|kiln|press)\b/;

function understand(question: string): Chain | undefined {
  if (/^(?:Write|Save|Read)\b|table|crate/i.test(question)) return undefined;
  const steps = stepsOf(question, senses);
  if (steps.length === 0) return undefined;
  const asks = steps.reduceRight((text, { words }) => text.replace(words, ' '), question);
  const subject = subjectIn(asks.replaceAll(noNames, ' ').replaceAll(/[A-ZÄÖÜ]\p{L}+(?=[’'])/gu, ' '));
  return subject === undefined ? undefined : { subject, year: yearIn(question), senses: steps };
}

/** The longest name in a text. */
export const subjectIn = (text: string): string | undefined =>
  text
    .match(new RegExp(`\\p{Lu}\\p{L}{2,}(?: \\p{Lu}\\p{L}+)*(?:${thing.source})?`, 'gu'))
    ?.toSorted((one, other) => other.length - one.length)[0];

export const yearIn = (text: string): string | undefined => /\b20\d\d\b/.exec(text)?.[0];

/** What a text asks for: of its subject first, then of the answer to that. */
export const stepsOf = (text: string, known: readonly Sense[]): Chain['senses'] =>
  known
    .map((sense) => ({ sense, match: sense.asks.exec(text) }))
    .filter(({ match }) => match !== null)
    .toSorted((one, other) => other.match!.index - one.match!.index)
    .map(({ sense, match }) => ({ sense, words: match![0] }));

export function follow(
  talk: Conversation,
  chain: Chain,
  instructions: Instructions,
  recall: Recall = () => [],
): Understood {
  const units = talk.readings.map((reading) => ({ reading, units: unitsOf(reading.text) }));
  const found: Found[] = [];
  let { subject } = chain;
  for (const { sense, words } of chain.senses) {
    const year = sense.value === 'figure' ? chain.year : undefined;
    const read = find(units, { sense, subject, year });
    const findings = read.length > 0 ? read : recall(sense, subject);
    if (findings.length === 0) {
      const more = chain.year === undefined || sense.value !== 'figure' ? '' : ` ${chain.year}`;
      const wordings = [words, ...sense.wordings].map((one) => `${subject} ${one}${more}`);
      return { found, isComplete: false, wordings, names: [subject] };
    }
    const sorted = instructions.weighs
      ? findings.toSorted((one, other) => other.date.localeCompare(one.date))
      : findings;
    found.push({ sense, subject, findings: sorted });
    if (sense.value === 'name') subject = sorted[0]!.value;
  }
  return { found, isComplete: true, wordings: [], names: [subject] };
}

interface Sought {
  sense: Sense;
  subject: string;
  year: string | undefined;
}

type Read = readonly { reading: Reading; units: readonly Unit[] }[];

function find(read: Read, sought: Sought): Finding[] {
  const findings: Finding[] = [];
  for (const { reading, units } of read) {
    const isAbout = isNamed(reading.title, sought.subject);
    for (const [at, { text }] of units.entries()) {
      const isNear = isAbout || isNamed(units[at - 1]?.text ?? '', sought.subject);
      const mayMean = isNamed(text, sought.subject) || (isNear && /^(?:It|They|The \p{Ll}+)\b/u.test(text));
      if (!mayMean || !sought.sense.states.test(text) || denial.test(text)) continue;
      if (sought.year !== undefined && !text.includes(sought.year)) continue;
      const value = valueIn(text, sought);
      if (value === undefined) continue;
      const year = / (?:in|of|since) (20\d\d)\b/.exec(text)?.[1];
      findings.push({ value, reading, date: year ?? reading.date });
    }
  }
  return findings;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const isNamed = (text: string, subject: string): boolean =>
  new RegExp(`(?<!\\p{L})${escaped(subject)}(?!\\p{L}| \\p{Lu})`, 'u').test(text);

function valueIn(text: string, { sense, subject }: Sought): string | undefined {
  const rest = text.replaceAll(subject, ' ');
  switch (sense.value) {
    case 'figure': {
      const all = [...rest.matchAll(/\d[\d,]*(?:\.\d+)?/g)].filter(([one]) => !/^20\d\d$/.test(one));
      const meant = all.find(
        ({ 0: one, index }) =>
          !sense.unit || sense.unit.test(rest.slice(index + one.length, index + one.length + 12)),
      );
      return meant?.[0].replace(/[,.]$/, '');
    }
    case 'name': {
      const after = rest.slice(Math.max(0, rest.search(sense.states)));
      const names = after.match(/\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*/gu) ?? [];
      return names.at(-1);
    }
    case 'word':
      return sense.word?.exec(rest)?.[1];
  }
}

/** What the question asks of names, for reports. */
export const namesAsked = (question: string): readonly string[] => asked(question).names;
