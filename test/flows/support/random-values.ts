import { type SchemaAndValue, schemaAndValue } from '@errand/outputs/testing';
import { type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import fc from 'fast-check';
import { type ChatRequest, isCheck, type ScriptedAnswer, type Usage } from '../../support/model-server.ts';

export interface Play extends SchemaAndValue {
  /** What the model does, one for each request. */
  does: number[];
  /** What it reports, as a share of the most. */
  share: number;
  creditsNanoEuro: number;
  maxNanoEuro: number | undefined;
  proof: boolean;
  /** What the decision model says of claims, in turn. */
  supports: (number | undefined)[];
  /** What goes on from it: a question with or without a schema, or no question. */
  follow: 'prose' | 'value' | 'continue' | undefined;
  /** Where the fields are from. */
  sources: { pointer: number; numbers: number[] }[];
}

const amounts = fc.oneof(
  { weight: 2, arbitrary: fc.constant(1_000_000_000) },
  { weight: 3, arbitrary: fc.integer({ min: 5_000_000, max: 150_000_000 }) },
);

export const plays: fc.Arbitrary<Play> = fc
  .record({
    made: schemaAndValue,
    does: fc.array(fc.nat({ max: 1_000 }), { minLength: 40, maxLength: 40 }),
    share: fc.constantFrom(0.001, 0.05, 0.5, 1),
    creditsNanoEuro: amounts,
    maxNanoEuro: fc.oneof(fc.constant(undefined), amounts),
    proof: fc.boolean(),
    follow: fc.constantFrom(undefined, 'prose', 'value', 'continue'),
    supports: fc.array(fc.constantFrom(0.05, 0.3, 0.9, 0.9, 0, 1, 2, -1, Number.NaN, undefined), {
      minLength: 1,
      maxLength: 8,
    }),
    sources: fc.array(
      fc.record({ pointer: fc.nat(50), numbers: fc.array(fc.constantFrom(0, 1, 1, 1, 7), { maxLength: 3 }) }),
      { maxLength: 6 },
    ),
  })
  // What most models write: the page is the source of all that has no other.
  .map(({ made, sources, ...play }) => ({
    ...{ ...made, ...play },
    sources: play.share < 1 ? [{ pointer: 0, numbers: [1] }, ...sources] : sources,
  }));

const pointersOf = (value: OrderedJson, at = ''): string[] => {
  const entries = value instanceof Map || Array.isArray(value) ? [...value.entries()] : [];
  const step = (key: string | number) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return [at, ...entries.flatMap(([key, each]) => pointersOf(each, at + step(key)))];
};

const reversed = (value: OrderedJson): OrderedJson =>
  value instanceof Map ? new Map([...value].reverse().map(([key, each]) => [key, reversed(each)])) : value;

export const question = 'What is written on the board?';

export interface Told {
  /** What the provider has answered. */
  costNanoEuro: number;
  done: string[];
}

/** The model of a play. */
export function scriptOf(play: Play, told: Told, boardUrl: string): (request: ChatRequest) => ScriptedAnswer {
  const { value } = play;
  const pointers = pointersOf(value);
  const sources = play.sources.map(
    ({ pointer, numbers }): OrderedJson =>
      new Map<string, OrderedJson>([
        ['pointer', pointers[pointer % pointers.length]!],
        ['numbers', numbers],
      ]),
  );
  const form = (of: OrderedJson): string =>
    stringifyOrderedJson(
      new Map<string, OrderedJson>([
        ['value', of],
        ['sources', sources],
      ]),
    );
  const right = form(value);
  const other = form(reversed(value));
  const wrong = form(new Map([...value, ['named by no schema', 1]]));
  const crawl: ScriptedAnswer = { calls: [{ name: 'web_crawl', args: { url: boardUrl } }] };
  const confirming = (answer: unknown): ScriptedAnswer => ({
    calls: [{ name: 'confirm_answer', args: { answer } }],
  });
  const always: [string, ScriptedAnswer][] = [
    ['empty', { text: '' }],
    ['prose', { text: 'The board says what it says [1].' }],
    ['filtered', { text: right.slice(0, 20), finish: 'content_filter' }],
    ['cut', { text: right.slice(0, -1), finish: 'length' }],
    ['whole cut', { text: right, finish: 'length' }],
    ['refused', { status: 400 }],
    ['broken', 'break'],
  ];
  const loop: [string, ScriptedAnswer][] = [
    ...Array<[string, ScriptedAnswer]>(5).fill(['crawl', crawl]),
    ...Array<[string, ScriptedAnswer]>(5).fill(['found', { text: 'It is on the board [1].' }]),
    ['early', { text: right }],
    ['early wrong', { text: wrong }],
    ['confirms', confirming(right)],
    ['both', { calls: [...(crawl as { calls: [] }).calls, { name: 'confirm_answer', args: {} }] }],
  ];
  const writing: [string, ScriptedAnswer][] = [
    ...Array<[string, ScriptedAnswer]>(5).fill(['right', { text: right }]),
    ...Array<[string, ScriptedAnswer]>(5).fill(['wrong', { text: wrong }]),
    ['fenced', { text: `Here:\n\`\`\`json\n${other}\n\`\`\`` }],
    ['bare', { text: stringifyOrderedJson(value) }],
    ['calls', crawl],
    ['calls', { ...(confirming(right) as object), text: right }],
    ...Array<[string, ScriptedAnswer]>(3).fill(['refused form', { status: 400 }]),
  ];
  const check: [string, ScriptedAnswer][] = [
    ...Array<[string, ScriptedAnswer]>(4).fill(['confirms', confirming(undefined)]),
    ['confirms other', confirming(other)],
    ['confirms other', confirming(other)],
    ['confirms wrong', confirming(wrong)],
    ['confirms wrong', confirming(wrong)],
    ['confirms prose', confirming('It is fine.')],
    ['crawl', crawl],
    ['crawl', crawl],
    ['text other', { text: other }],
    ['text wrong', { text: wrong }],
    ['refused', { status: 400 }],
  ];
  let number = 0;
  return (request) => {
    const isAtCheck = isCheck(request);
    const does = play.does[number++ % play.does.length]!;
    const isOdd = does % 7 === 0;
    const part = isAtCheck ? check : request.tool_choice === 'none' ? writing : loop;
    const from = isOdd ? always : part;
    let [name, answer] = from[Math.floor(does / 7) % from.length]!;
    if (number === 1 && play.proof) [name, answer] = ['crawl', crawl];
    if (name === 'refused form' && !request.response_format) [name, answer] = ['right', { text: right }];
    told.done.push(`${isAtCheck ? 'check' : request.tool_choice === 'none' ? 'writing' : 'loop'}:${name}`);
    if (typeof answer === 'string' || 'status' in answer) return answer;
    const usage: Usage = {
      input: 1 + Math.floor((JSON.stringify([request.messages, request.tools]).length / 6) * play.share),
      output: Math.max(1, Math.floor((request.max_tokens ?? 0) * play.share)),
    };
    told.costNanoEuro += 1_000 * usage.input + 2_000 * usage.output;
    return { ...answer, usage } as ScriptedAnswer;
  };
}
