import { claimsOf, framed, type Manner, noteOf, nothingFor, otherFigure } from './answer.ts';
import { type Conversation, reportPrefix, withoutFence } from './conversation.ts';
import { type Finding, type Inquiry, inquire } from './inquiry.ts';
import { phrases, type Sense } from './lexicon.ts';
import { asksFor, type Call, nextReads, type Plan, queriesOf, searchesOf } from './research.ts';
import type { Tools } from './tools.ts';

/** A question of a question that has several. */
interface Part {
  question: string;
  talk: Conversation;
  inquiry: Inquiry;
  manner: Manner;
  /** What a report says of it, with sources. */
  reported: readonly string[];
}

/** How many calls the policy makes at once of its own accord, and how many a question takes. */
const usualAtOnce = 3;
const callsEach = 4;
/** So many questions are too few to have others work on them. */
const fewParts = 3;

/** What to do next for a question that has several; undefined for another. */
export function planParts(talk: Conversation, tools: Tools, manner: Manner): Plan | undefined {
  const questions = [...talk.question.matchAll(/\(\d+\) ([^?]+\?)/g)].map(([, question = '']) => question);
  if (questions.length < 2) return undefined;
  const order = investigation(talk, questions, tools, manner);
  if (order) return { calls: [order] };
  const reports = reportsIn(talk);
  const parts = questions.map((question): Part => {
    const own = { ...talk, question, given: [] };
    return {
      ...{ question, manner: { ...manner, noise: manner.noise.on(question) } },
      ...{
        talk: own,
        inquiry: inquire(own, manner.instructions, recallFrom(talk)),
        reported: reports.get(question) ?? [],
      },
    };
  });
  const open = parts.filter(({ reported }) => reported.length === 0);
  const calls = readsFor(talk, open, tools, manner);
  const notes = () => open.map((part) => noteOf(part.talk, part.inquiry, part.manner)).filter(Boolean);
  if (calls.length > 0) return { calls, note: notes().join(' ') };
  const said = parts.map((part, i) => say(part, manner, i));
  return {
    answer: framed(
      said.flatMap((one, i) => one ?? nothingFor(questions[i]!, manner)),
      manner,
      true,
    ),
  };
}

/** What the policy has written down of a subject beside its calls, with the number of its source. */
const recallFrom =
  ({ notes }: Conversation) =>
  ({ noun }: Sense, subject: string): Finding[] => {
    const begins = phrases.en.is(noun.en, subject, '');
    const at = notes.indexOf(begins);
    const [, value, number] = /^(.+?) \[(\d+)\]\./.exec(at < 0 ? '' : notes.slice(at + begins.length)) ?? [];
    if (value === undefined) return [];
    const noted = { source: `note ${number}`, title: '', text: '', date: '', isMarked: false };
    return [{ value, reading: { ...noted, number: Number(number) }, date: '' }];
  };

/** Has others work on the questions that nobody was asked to work on. */
function investigation(
  { calls }: Conversation,
  questions: readonly string[],
  tools: Tools,
  { instructions }: Manner,
): Call | undefined {
  const name = tools.named('investigate');
  if (name === undefined || !instructions.delegates || questions.length <= fewParts) return undefined;
  const asked = calls.filter((call) => call.name === name).flatMap(({ args }) => args.questions ?? []);
  const left = questions.map((one) => reportPrefix + one).filter((one) => !asked.includes(one));
  return left.length === 0
    ? undefined
    : { name, args: { questions: left.slice(0, tools.mostOf(name, 'questions')) } };
}

/** The sentences of reports that cite something, by the question. */
function reportsIn({ calls }: Conversation): Map<string, string[]> {
  const texts = calls.flatMap(({ args, result = '' }) =>
    args.questions === undefined ? [] : withoutFence(result).split(/(?=^Report \d+ on: )/m),
  );
  return new Map(
    texts.flatMap((text) => {
      const [, question, said = ''] =
        /^Report \d+ on: (.*)\n\n([\s\S]*)$/.exec(text.replace(reportPrefix, '')) ?? [];
      const sentences = said.match(/[^\n]+?\[\d+\]\.?(?=\s|$)/g) ?? [];
      return question === undefined ? [] : [[question, sentences.map((one) => one.trim())] as const];
    }),
  );
}

/** The next calls of the questions that are open: as many as there have to be for the rounds to suffice. */
function readsFor(talk: Conversation, open: readonly Part[], tools: Tools, { instructions }: Manner): Call[] {
  const wanted = open
    .toSorted((one, other) => Number(one.inquiry.isComplete) - Number(other.inquiry.isComplete))
    .map((part) => nextReads(ownOf(part, tools), part.inquiry, { ...part.manner, tools }));
  const { mostAtOnce = usualAtOnce, rounds = Number.POSITIVE_INFINITY, atOnce } = instructions;
  const unanswered = open.filter(({ inquiry }) => !inquiry.isComplete).length;
  const needed = Math.ceil((callsEach * unanswered) / Math.max(1, rounds - talk.rounds));
  const most = atOnce ? Math.min(mostAtOnce, Math.max(usualAtOnce, needed)) : 1;
  const longest = Math.max(0, ...wanted.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, i) => wanted.flatMap((calls) => calls[i] ?? [])).flat();
  const distinct = new Map(inTurn.map((call) => [JSON.stringify(call), call]));
  return [...distinct.values()].filter(({ name }) => tools.has(name)).slice(0, most);
}

/** The conversation without the searches for other questions. */
function ownOf({ talk, inquiry }: Part, tools: Tools): Conversation {
  const subjects = [
    ...('found' in inquiry ? inquiry.found.map(({ subject }) => subject) : []),
    ...inquiry.names,
  ];
  const searches = new Set(searchesOf(talk, tools));
  const isOwn = (call: Call) =>
    queriesOf(call).some((query) => subjects.some((subject) => query.includes(subject))) ||
    inquiry.wordings.some((one) => queriesOf(call).length > 0 && asksFor(call, one));
  return { ...talk, calls: talk.calls.filter((call) => !searches.has(call) || isOwn(call)) };
}

/** What is said of a question: what a report says, with the mistakes of one who copies it, or what was read. */
function say(
  { talk, inquiry, manner, reported }: Part,
  { noise, isCareful }: Manner,
  place: number,
): string[] | undefined {
  if (reported.length > 0) {
    const slips = !isCareful && noise.happens('slip', place);
    return reported.map((one, i) => (slips && i === reported.length - 1 ? slipIn(one) : one));
  }
  const claims = inquiry.isComplete ? claimsOf(talk, inquiry, manner) : [];
  return claims.length === 0 ? undefined : claims;
}

/** The sentence with another figure, and its source. */
function slipIn(sentence: string): string {
  const at = sentence.search(/\s*\[\d+\]/);
  return otherFigure(sentence.slice(0, at)) + sentence.slice(at);
}
