import { readClosing } from '../closing.ts';
import {
  type Conversation,
  type Message,
  type PolicyRequest,
  readConversation,
  textOf,
} from '../conversation.ts';
import { readInstructions } from '../instructions.ts';
import { type Noise, noiseOf, remarks } from '../noise.ts';
import { type Call, nextReads, type Plan } from '../research.ts';
import type { Tools } from '../tools.ts';
import { namesOf } from '../words.ts';
import type { Form } from './form.ts';
import { hasList, inquiryFor, lookUp, type Search, singleFields, subjectOf, tableIn } from './look-up.ts';
import { misshape } from './misshape.ts';
import { type Slip, type Written, writeValue } from './write.ts';

const mostCalls = 6;
/** It writes a wrong form so often, unless nobody tells it what is wrong. */
const carelessTries = 2;

/** The next message for a question whose answer has a form, with what `withMistakes` takes. */
export function fillIn(
  request: PolicyRequest,
  form: Form,
  tools: Tools,
  seed: string,
): [Plan, PolicyRequest, Noise] {
  const closing = readClosing(request.messages);
  const talk = readConversation(request.messages.slice(0, closing?.before));
  // The same mistakes with proof and without.
  const noise = noiseOf(seed, talk.question.replace(' with proof', ''));
  const instructions = readInstructions(request.messages);
  const search: Search = { talk, instructions, subject: subjectOf(talk) };
  const desk = { form, search, noise, tools };
  const demand = demandOf(request);
  if (demand === 'check') return [check(desk, request.messages), request, noise];
  if (demand === 'value') return [{ answer: firstValue(desk, request.messages) }, request, noise];
  const calls = closing ? [] : nextCalls(desk);
  if (calls.length > 0) return [{ calls }, request, noise];
  return [{ answer: noise.happens('early') ? firstValue(desk, []) : findings(desk) }, request, noise];
}

interface Desk {
  form: Form;
  search: Search;
  noise: Noise;
  tools: Tools;
}

/** What the last message that is not the policy's own asks for. */
function demandOf({ messages, response_format }: PolicyRequest): 'value' | 'check' | undefined {
  const opening = messages.findIndex(({ role }) => role === 'user');
  const text = textOf(messages.slice(opening + 1).at(-1) ?? { role: 'user' });
  if (/\bconfirm_answer\b|\bCONFIRMED\b/.test(text)) return 'check';
  return response_format !== undefined || /\bJSON\b/.test(text) ? 'value' : undefined;
}

/** What to call next for the fields that are open, a subject after the other. */
function nextCalls({ form, search, noise, tools }: Desk): Call[] {
  const { talk, instructions } = search;
  const means = { tools, instructions, noise };
  if (hasList(form)) {
    const isComplete = tableIn(talk) !== undefined;
    return offered(tools, nextReads(talk, { steps: [], isComplete, names: [], wordings: ['rows'] }, means));
  }
  const inquiries = singleFields(form.value).flatMap((field) => inquiryFor(field, search) ?? []);
  const open = Map.groupBy(
    inquiries.filter(({ isComplete }) => !isComplete),
    ({ names }) => names[0] ?? '',
  );
  const calls = [...open].flatMap(([subject, own]) => {
    const wordings = [...new Set(own.flatMap((one) => one.wordings))];
    return nextReads(
      about(talk, subject),
      { found: [], isComplete: false, names: [subject], wordings },
      means,
    );
  });
  const once = new Map(calls.map((call) => [JSON.stringify(call.args.url ?? call.args), call]));
  return offered(tools, [...once.values()].slice(0, mostCalls));
}

const offered = (tools: Tools, calls: readonly Call[]): Call[] => calls.filter(({ name }) => tools.has(name));

/** The conversation without searches for something else. One without a name may have been meant for this. */
const about = (talk: Conversation, subject: string): Conversation => ({
  ...talk,
  calls: talk.calls.filter(({ args: { url, query, queries = query } }) => {
    const words = [queries].flat().join(' ');
    return url !== undefined || words.includes(subject) || namesOf(words).length === 0;
  }),
});

/** What was found, in words. */
function findings({ form, search }: Desk): string {
  const said = singleFields(form.value).map((field) => {
    const found = lookUp(field, search);
    return found
      ? `${field.description}: ${found.text} [${found.number}].`
      : `${field.description}: not found.`;
  });
  return hasList(form) ? 'The rows of the table are read.' : said.join('\n');
}

const errsAtFirst =
  ({ noise, search }: Desk) =>
  (slip: Slip, pointer: string): boolean =>
    slip === 'guess' && !search.instructions.admits ? true : noise.happens(slip, pointer);

const textFor = (form: Form, { value, sources }: Written): string =>
  JSON.stringify(form.hasSources ? { value, sources } : { value });

/** The value with the policy's mistakes. A mistake of its form stays until its problem is told. */
function firstValue(desk: Desk, messages: readonly Message[]): string {
  const { form, search, noise } = desk;
  const told = problemsIn(messages);
  const written = writeValue(form, search, { errs: errsAtFirst(desk), mustFill: told > 0 });
  const isWrong = told < carelessTries && noise.happens('wrongForm', told);
  const text = textFor(form, isWrong ? misshape(written, noise, told) : written);
  return noise.happens('fenced', told) ? `Here is the value:\n\`\`\`json\n${text}\n\`\`\`` : text;
}

/** How often the policy was told at which place of its value something is wrong. */
const problemsIn = (messages: readonly Message[]): number =>
  messages.filter((message) => message.role !== 'assistant' && saysProblem.test(textOf(message))).length;

const saysProblem = /\b(?:does not fit|not valid|invalid)\b.*\n- \S/i;

/** What the policy says when it is asked whether its value stands. */
function check(desk: Desk, messages: readonly Message[]): Plan {
  const { form, search, noise, tools } = desk;
  const since = readClosing(messages);
  const named = weakPointers(since?.word ?? '');
  const errs = errsAtFirst(desk);
  const mends = (slip: Slip, pointer: string): boolean => {
    if (!named.has(pointer)) return slip !== 'guess' && noise.happens('noticed', pointer);
    return slip !== 'guess' || !noise.happens('holdsOn', pointer);
  };
  const given = textFor(form, writeValue(form, search, { errs, mustFill: true }));
  const careful = writeValue(form, search, {
    errs: (slip, pointer) => errs(slip, pointer) && !mends(slip, pointer),
    mustFill: true,
  });
  const mended = textFor(form, careful);
  const confirm = tools.named('confirm');
  if (mended !== given)
    return confirm !== undefined && tools.takes(confirm, 'answer')
      ? { calls: [{ name: confirm, args: { answer: mended } }] }
      : { answer: mended };
  if (noise.happens('checkRemark')) return { answer: noise.pick(remarks, 'remark') };
  return confirm === undefined ? { answer: 'CONFIRMED' } : { calls: [{ name: confirm, args: {} }] };
}

/** The fields that the question of the check names. */
const weakPointers = (word: string): Set<string> =>
  new Set([...word.matchAll(/(?<![\w:/.])(?:\/[\w~-]+)+/g)].map(([pointer]) => pointer));
