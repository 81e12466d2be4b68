import { readSchema } from '@errand/outputs';
import { type SchemaAndValue, schemaAndValue } from '@errand/outputs/testing';
import { limits, type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatRequest, ScriptedAnswer, Usage } from '../support/model-server.ts';
import { isCheck } from '../support/model-server.ts';
import type { RunEvent } from '../support/service.ts';
import { type Flows, useFlows } from './support/use-flows.ts';

let flows: Flows;

useFlows((started) => {
  flows = started;
});

/** `VALUE_PLAYS=1000 npm test -- test/flows/value-plays` plays for some minutes. */
const count = Number(process.env.VALUE_PLAYS ?? 25);

const ajv = new Ajv2020({ strict: false, ownProperties: true });
ajvFormats.default(ajv);
let schemas = 0;

/** Ajv reads no property `__proto__`. */
function fits(schema: string, value: string): boolean {
  const renamed = (text: string) => JSON.parse(text.replaceAll('__proto__', 'proto')) as object;
  return ajv.compile({ ...renamed(schema), $id: `urn:play:${schemas++}` })(renamed(value));
}

interface Play extends SchemaAndValue {
  /** What the model does, one for each request. */
  does: number[];
  /** What it reports, as a share of the most. */
  share: number;
  creditsNanoEuro: number;
  maxNanoEuro: number | undefined;
  proof: boolean;
  /** What the decision model says of claims, in turn. */
  supports: (number | undefined)[];
  /** Where the fields are from. */
  sources: { pointer: number; numbers: number[] }[];
}

const amounts = fc.oneof(
  { weight: 2, arbitrary: fc.constant(1_000_000_000) },
  { weight: 3, arbitrary: fc.integer({ min: 5_000_000, max: 150_000_000 }) },
);

const plays: fc.Arbitrary<Play> = fc
  .record({
    made: schemaAndValue,
    does: fc.array(fc.nat({ max: 1_000 }), { minLength: 40, maxLength: 40 }),
    share: fc.constantFrom(0.001, 0.05, 0.5, 1),
    creditsNanoEuro: amounts,
    maxNanoEuro: fc.oneof(fc.constant(undefined), amounts),
    proof: fc.boolean(),
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

const question = 'What is written on the board?';

interface Told {
  /** What the provider has answered. */
  costNanoEuro: number;
  done: string[];
}

/** The model of a play. */
function scriptOf(play: Play, told: Told): (request: ChatRequest) => ScriptedAnswer {
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
    stringifyOrderedJson(new Map<string, OrderedJson>([['value', of], ['sources', sources]])); // biome-ignore format: x
  const right = form(value);
  const other = form(reversed(value));
  const wrong = form(new Map([...value, ['named by no schema', 1]]));
  const crawl: ScriptedAnswer = { calls: [{ name: 'web_crawl', args: { url: `${flows.world.url}/board` } }] };
  const confirming = (answer: unknown): ScriptedAnswer => ({ calls: [{ name: 'confirm_answer', args: { answer } }] });
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
    const isWriting = /^(?:Write the result|All rounds|The result does not fit)/.test(
      String(request.messages.at(-1)?.content ?? '').split('\n\n').at(-1) === undefined
        ? ''
        : String(request.messages.findLast(({ role }) => role !== 'tool')?.content ?? ''),
    );
    const does = play.does[number++ % play.does.length]!;
    const isOdd = does % 7 === 0;
    const part = isAtCheck ? check : request.tool_choice === 'none' || isWriting ? writing : loop;
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

async function started(play: Play, key: string): Promise<string | undefined> {
  const { maxNanoEuro, proof } = play;
  const body = {
    ...{ question, proof, tools: ['web_crawl'] },
    ...(maxNanoEuro !== undefined && { maxCredits: (maxNanoEuro / 1e9).toFixed(9) }),
  };
  const response = await flows.service.request('/v1/agents/runs', {
    method: 'POST',
    body: `${JSON.stringify(body).slice(0, -1)},"outputSchema":${stringifyOrderedJson(play.schema)}}`,
    headers: { 'Content-Type': 'application/json' },
    key,
  });
  const text = await response.text();
  if (response.status === 402 || (response.status === 400 && text.includes('maxCredits'))) return undefined;
  expect([response.status, text]).toEqual([202, expect.any(String)]);
  return (JSON.parse(text) as { agentId: string }).agentId;
}

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((at, step) => (at as Record<string, unknown>)[step], value);

interface View {
  status: string;
  result?: string;
  error?: string;
  stopReason?: string;
  output?: unknown;
  basis?: { pointer: string; support?: number; citations: { startIndex: number; endIndex: number; support?: number }[] }[];
  citations?: { startIndex: number; endIndex: number }[];
  unsupported?: string[];
  usage: { credits: string; completions: number };
}

function expectValue(play: Play, view: View, text: string, events: RunEvent[]): void {
  const read = readSchema(play.schema);
  if ('issue' in read) throw new Error(read.issue.problem);
  const { result = '' } = view;
  expect({ fits: fits(read.schema, result), result }).toEqual({ fits: true, result });
  expect(text.endsWith(`,"output":${result}}`)).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: result });
  expect(events.findLast(({ type }) => type === 'text')?.text).toBe(result);
  const value = JSON.parse(result) as unknown;
  const original = JSON.parse(stringifyOrderedJson(play.value)) as unknown;
  const unsupported = new Set(view.unsupported ?? []);
  expect(view.unsupported !== undefined).toBe(play.proof);
  const weak = view.basis!.filter(({ support = 1 }) => support < 0.5).map(({ pointer }) => pointer);
  expect([...unsupported]).toEqual(play.proof ? weak : []);
  let cited = 0;
  for (const { pointer, support, citations } of view.basis!) {
    const leaf = valueAt(value, pointer);
    const before = valueAt(original, pointer);
    if (leaf === null) expect(unsupported).toContain(pointer);
    else expect(leaf).toEqual(before);
    if (support !== undefined) expect(support >= 0 && support <= 1).toBe(true);
    if (!play.proof) expect(support).toBeUndefined();
    for (const citation of citations) {
      cited++;
      expect(JSON.parse(result.slice(citation.startIndex, citation.endIndex))).toEqual(leaf);
      expect(citation.support).toBe(support);
    }
    if (leaf === null) expect(citations).toEqual([]);
    if (leaf === null) noted('a field is null');
    else if (unsupported.has(pointer)) noted('a field is told');
    if (citations.length > 0) noted('a field is cited');
  }
  expect(view.citations?.length ?? 0).toBe(cited);
}

/** What the response of a run says of its value, read whole and in a stream. */
async function expectResponse(agentId: string, key: string, { result, unsupported }: View): Promise<void> {
  const path = `/v1/responses/${agentId}`;
  type Body = { output: { type: string; content: { text: string; annotations: { start_index: number; end_index: number }[] }[] }[]; unsupported?: string[] };
  const body = (await (await flows.service.request(path, { key })).json()) as Body;
  const messages = body.output.filter(({ type }) => type === 'message');
  expect(messages.map(({ content }) => content.map(({ text }) => text))).toEqual([[result]]);
  expect(body.unsupported).toEqual(unsupported);
  const streamed = await (await flows.service.request(`${path}?stream=true`, { key })).text();
  const events = streamed.split('\n').filter((line) => line.startsWith('data: {'));
  const read = events.map((line) => JSON.parse(line.slice(6)) as { type: string; delta?: string; response?: Body; sequence_number: number });
  const deltas = read.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta);
  expect(deltas.join('')).toBe(result);
  expect(read.at(-1)?.response).toEqual(body);
  const after = Math.floor(read.length / 2);
  const resumed = await (
    await flows.service.request(`${path}?stream=true&starting_after=${read[after]?.sequence_number}`, { key })
  ).text();
  expect(resumed.split('\n').filter((line) => line.startsWith('data: {'))).toEqual(events.slice(after + 1));
}

const stats = new Map<string, number>();
const noted = (what: string) => void stats.set(what, (stats.get(what) ?? 0) + 1);

async function playOut(play: Play): Promise<void> {
  const { service, provider, world } = flows;
  world.reset();
  const page = `<h1>Board</h1><p>It says ${stringifyOrderedJson(play.value).replaceAll('<', '&lt;')}.</p>`;
  world.pages.set('/board', { type: 'text/html', body: page });
  let asked = 0;
  const said: (number | undefined)[] = [];
  world.support = () => {
    said.push(play.supports[asked++ % play.supports.length]);
    return said.at(-1);
  };
  const told: Told = { costNanoEuro: 0, done: [] };
  provider.script(scriptOf(play, told));
  const { key } = await service.newAccount((play.creditsNanoEuro / 1e9).toFixed(9));
  const agentId = await started(play, key);
  if (agentId === undefined) return noted('refused at creation');
  const events = await service.follow(agentId, { key });
  const text = await (await service.request(`/v1/agents/runs/${agentId}`, { key })).text();
  const view = JSON.parse(text) as View;
  const credits = (await (await service.request('/v1/credits', { key })).json()) as Record<string, string>;
  const nano = (decimal: string | undefined) => Math.round(Number(decimal) * 1e9);
  const context = { done: told.done, view: { ...view, basis: undefined, output: undefined }, credits };
  noted(`${view.status} ${view.stopReason ?? 'none'} ${view.stopReason ? '' : view.error ?? ''}`);
  try {
    const passes = world.passes;
    expect(nano(credits.reserved)).toBe(0);
    expect(nano(credits.balance)).toBe(play.creditsNanoEuro - nano(view.usage.credits));
    expect(nano(credits.balance)).toBeGreaterThanOrEqual(0);
    if (play.maxNanoEuro !== undefined)
      expect(nano(view.usage.credits)).toBeLessThanOrEqual(play.maxNanoEuro);
    const proof = nano(view.usage.credits) - told.costNanoEuro;
    let at = 0;
    const answered = passes.filter((claims) => {
      const failed = said.slice(at, at + claims.length).indexOf(undefined);
      const supports = said.slice(at, at + (failed < 0 ? claims.length : failed + 1));
      at += supports.length;
      return supports.every((support = Number.NaN) => support >= 0 && support <= 1);
    });
    expect(proof).toBe(answered.reduce((sum, { length }) => sum + 100 * 100 * length, 0));
    if (!play.proof) expect(proof).toBe(0);
    if (passes.length > 0) noted(`proof ${proof > 0 ? 'charged' : 'free'}`);
    const writings = told.done.filter((each) => /^writing:(?!refused|broken)/.test(each)).length;
    expect(writings).toBeLessThanOrEqual(1 + limits.valueRepairs + 1);
    const usage = (await (await service.request('/v1/usage', { key })).json()) as object;
    if (nano(view.usage.credits) > 0) expect(JSON.stringify(usage)).toContain(`"${view.usage.credits}"`);
    if (view.status === 'succeeded') {
      expectValue(play, view, text, events);
      await expectResponse(agentId, key, view);
    }
    else {
      expect(view).toMatchObject({ status: 'failed', error: expect.stringMatching(/\w/) });
      expect(events.at(-1)).toMatchObject({ type: 'error', message: view.error });
      expect([undefined, 'schema', 'credits']).toContain(view.stopReason);
      for (const field of ['result', 'output', 'basis', 'unsupported']) expect(view).not.toHaveProperty(field);
    }
  } catch (error) {
    throw new Error(`${JSON.stringify(context, null, 1)}\n${(error as Error).message}`, { cause: error });
  }
}

test(
  'a run with a schema ends with a value that fits or in words, and is charged each completion once, whatever its models write',
  async () => {
    const named = plays.filter(({ schema }) => !stringifyOrderedJson(schema).includes('""'));
    await fc.assert(fc.asyncProperty(named, playOut), { numRuns: count, endOnFailure: true });
    console.log(stats);
  },
  60_000 + count * 5_000,
);
