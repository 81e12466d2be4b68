import { readSchema } from '@errand/outputs';
import { limits, stringifyOrderedJson } from '@errand/platform';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunEvent } from '../support/service.ts';
import { type Play, plays, question, scriptOf, type Told } from './support/random-values.ts';
import { type Flows, useFlows } from './support/use-flows.ts';

let flows: Flows;

useFlows((started) => {
  flows = started;
});

/** `VALUE_PLAYS=1000 npm test -- test/flows/value-plays` plays for some minutes. */
const count = Number(process.env.VALUE_PLAYS ?? 12);

const ajv = new Ajv2020({ strict: false, ownProperties: true });
ajvFormats.default(ajv);
let schemas = 0;

/** Ajv reads no property `__proto__`. */
function fits(schema: string, value: string): boolean {
  const renamed = (text: string) => JSON.parse(text.replaceAll('__proto__', 'proto')) as object;
  return ajv.compile({ ...renamed(schema), $id: `urn:play:${schemas++}` })(renamed(value));
}

let creations = 0;

/** Creates a run, twice with the same key. Undefined if what there is does not pay for it. */
async function started(
  play: Play,
  key: string,
  sent: object,
  hasSchema: boolean,
): Promise<string | undefined> {
  const { maxNanoEuro, proof } = play;
  const more = { ...sent, proof, tools: ['web_crawl'] };
  const maxCredits = maxNanoEuro === undefined ? undefined : (maxNanoEuro / 1e9).toFixed(9);
  const body = JSON.stringify({ ...more, maxCredits });
  const shaped = `${body.slice(0, -1)},"outputSchema":${stringifyOrderedJson(play.schema)}}`;
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': `creation-${creations++}` };
  const create = () =>
    flows.service.request('/v1/agents/runs', {
      ...{ method: 'POST', body: hasSchema ? shaped : body },
      ...{ headers, key },
    });
  const response = await create();
  const text = await response.text();
  if (response.status === 402 || (response.status === 400 && text.includes('maxCredits'))) return undefined;
  expect([response.status, text]).toEqual([202, expect.any(String)]);
  const { agentId } = JSON.parse(text) as { agentId: string };
  const again = await create();
  // Credits are asked for before it is known that a request repeats another.
  if (again.status !== 402) expect(await again.json()).toMatchObject({ agentId });
  return agentId;
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
  basis?: {
    pointer: string;
    support?: number;
    citations: { startIndex: number; endIndex: number; support?: number }[];
  }[];
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
  }
  expect(view.citations?.length ?? 0).toBe(cited);
}

/** What the response of a run says of its value, read whole and in a stream. */
async function expectResponse(agentId: string, key: string, { result, unsupported }: View): Promise<void> {
  const path = `/v1/responses/${agentId}`;
  type Body = {
    output: {
      type: string;
      content: { text: string; annotations: { start_index: number; end_index: number }[] }[];
    }[];
    unsupported?: string[];
  };
  const body = (await (await flows.service.request(path, { key })).json()) as Body;
  const messages = body.output.filter(({ type }) => type === 'message');
  expect(messages.map(({ content }) => content.map(({ text }) => text))).toEqual([[result]]);
  expect(body.unsupported).toEqual(unsupported);
  const streamed = await (await flows.service.request(`${path}?stream=true`, { key })).text();
  const events = streamed.split('\n').filter((line) => line.startsWith('data: {'));
  const read = events.map(
    (line) =>
      JSON.parse(line.slice(6)) as { type: string; delta?: string; response?: Body; sequence_number: number },
  );
  const deltas = read.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta);
  expect(deltas.join('')).toBe(result);
  expect(read.at(-1)?.response).toEqual(body);
  const after = Math.floor(read.length / 2);
  const resumed = await (
    await flows.service.request(`${path}?stream=true&starting_after=${read[after]?.sequence_number}`, { key })
  ).text();
  expect(resumed.split('\n').filter((line) => line.startsWith('data: {'))).toEqual(events.slice(after + 1));
}

/** An account whose runs are played, with what its providers have answered. */
interface Stage {
  play: Play;
  key: string;
  told: Told;
  /** What the decision model has said. */
  said: (number | undefined)[];
  spentNanoEuro: number;
}

async function setUp(play: Play): Promise<Stage> {
  const { service, provider, world } = flows;
  world.reset();
  const page = `<h1>Board</h1><p>It says ${stringifyOrderedJson(play.value).replaceAll('<', '&lt;')}.</p>`;
  world.pages.set('/board', { type: 'text/html', body: page });
  const told: Told = { costNanoEuro: 0, done: [] };
  const said: Stage['said'] = [];
  world.support = () => {
    said.push(play.supports[said.length % play.supports.length]);
    return said.at(-1);
  };
  provider.script(scriptOf(play, told, `${world.url}/board`));
  const { key } = await service.newAccount((play.creditsNanoEuro / 1e9).toFixed(9));
  return { play, key, told, said, spentNanoEuro: 0 };
}

const nano = (decimal: string | undefined) => Math.round(Number(decimal) * 1e9);

/** The cost of the passes of proof that were answered whole, with probabilities. */
function proofNanoEuro({ said }: Stage): number {
  let at = 0;
  const answered = flows.world.passes.filter((claims) => {
    const failed = said.slice(at, at + claims.length).indexOf(undefined);
    const supports = said.slice(at, at + (failed < 0 ? claims.length : failed + 1));
    at += supports.length;
    return supports.every((support = Number.NaN) => support >= 0 && support <= 1);
  });
  return answered.reduce((sum, { length }) => sum + 100 * 100 * length, 0);
}

async function expectBooks(stage: Stage, { usage }: View): Promise<void> {
  const { key, play, told } = stage;
  const credits = await (await flows.service.request('/v1/credits', { key })).json();
  const { reserved, balance } = credits as Record<string, string>;
  stage.spentNanoEuro += nano(usage.credits);
  expect(nano(reserved)).toBe(0);
  expect(nano(balance)).toBe(play.creditsNanoEuro - stage.spentNanoEuro);
  expect(nano(balance)).toBeGreaterThanOrEqual(0);
  expect(nano(usage.credits)).toBeLessThanOrEqual(play.maxNanoEuro ?? Number.POSITIVE_INFINITY);
  expect(stage.spentNanoEuro).toBe(told.costNanoEuro + proofNanoEuro(stage));
}

/** Follows a run to its end, and expects that books and readers agree. */
async function workedOff(stage: Stage, agentId: string, isValue: boolean): Promise<View> {
  const { play, key, told } = stage;
  const events = await flows.service.follow(agentId, { key });
  const text = await (await flows.service.request(`/v1/agents/runs/${agentId}`, { key })).text();
  const view = JSON.parse(text) as View;
  await expectBooks(stage, view);
  // One more was used up by thinking, as far as the service can tell.
  const writings = told.done.filter((each) => /^writing:(?!refused|broken)/.test(each)).length;
  if (isValue) expect(writings).toBeLessThanOrEqual(1 + limits.valueRepairs + 1);
  if (view.status === 'succeeded' && isValue) {
    expectValue(play, view, text, events);
    await expectResponse(agentId, key, view);
    return view;
  }
  for (const field of ['output', 'basis', 'unsupported']) expect(view).not.toHaveProperty(field);
  if (view.status === 'succeeded') {
    expect(events.at(-1)).toMatchObject({ type: 'done', finalText: view.result });
    return view;
  }
  expect(view).toMatchObject({ status: 'failed', error: expect.stringMatching(/\w/) });
  expect(view).not.toHaveProperty('result');
  expect(events.at(-1)).toMatchObject({ type: 'error', message: view.error });
  expect([undefined, ...(isValue ? ['schema', 'credits'] : [])]).toContain(view.stopReason);
  return view;
}

async function playOut(play: Play): Promise<void> {
  const stage = await setUp(play);
  const { key, told } = stage;
  const agentId = await started(play, key, { question }, true);
  if (agentId === undefined) return;
  try {
    const { status } = await workedOff(stage, agentId, true);
    const isOver = play.follow === 'continue' && status !== 'failed';
    if (play.follow === undefined || isOver) return;
    told.done = [];
    const asks = play.follow === 'continue' ? {} : { question: 'And now?' };
    const next = await started(play, key, { ...asks, previousRunId: agentId }, play.follow === 'value');
    if (next !== undefined) await workedOff(stage, next, play.follow !== 'prose');
  } catch (error) {
    throw new Error(`${told.done.join(', ')}: ${(error as Error).message}`, { cause: error });
  }
}

test(
  'a run with a schema ends with a value that fits or in words, and is charged each completion once, whatever its models write',
  async () => {
    // Ajv misses no required property whose name is empty.
    const named = plays.filter(({ schema }) => !stringifyOrderedJson(schema).includes('""'));
    await fc.assert(fc.asyncProperty(named, playOut), { numRuns: count, endOnFailure: true });
  },
  600_000 + count * 5_000,
);
