import type { BasisField, Citation } from '@errand/agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { type End, endRun } from './support/end-run.ts';

let ground: Ground;
let desk: Desk;

beforeAll(async () => {
  ground = await startGround();
  desk = await openDesk(ground);
});
afterAll(async () => {
  desk.close();
  await ground.close();
});

/** Keys like numbers, a key that an object of JavaScript has for itself, and a number that JavaScript would write in another way. */
const finalText = '{"b":"Den Helder","10":1.50,"2":"noon","__proto__":true,"a":null}';

const fieldAt = (pointer: string, text: string, support?: number): BasisField => {
  const startIndex = finalText.indexOf(text);
  return { pointer, startIndex, endIndex: startIndex + text.length, support };
};

const basis = [
  fieldAt('/b', '"Den Helder"', 0.9),
  fieldAt('/10', '1.50', 0.8),
  fieldAt('/2', '"noon"'),
  fieldAt('/a', 'null', 0.1),
];

const citing = (field: BasisField | undefined, url: string, passage = 'At noon.'): Citation => ({
  ...{ type: 'url_citation', url, title: 'Tides', number: 1 },
  ...{ startIndex: field?.startIndex ?? 0, endIndex: field?.endIndex ?? 0, passage },
});

const citations = [
  citing(basis[0], 'https://example.com/1'),
  citing(basis[0], 'https://example.com/2'),
  citing(basis[2], 'https://example.com/3'),
];

interface Answer {
  text: string;
  run: Record<string, unknown>;
}

const read = async (path: string, init?: RequestInit): Promise<Answer> => {
  const response = await desk.request(path, init);
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
  const text = await response.text();
  return { text, run: JSON.parse(text) as Answer['run'] };
};

/** The id of a run whose worker has committed this end. */
async function ended(end: End, text = finalText): Promise<string> {
  const agentId = await desk.start({ question: 'When?' });
  await endRun(desk, agentId, { events: [{ type: 'done', finalText: text }], ...end });
  return `/v1/agents/runs/${agentId}`;
}

const shownBasis = [
  { pointer: '/b', citations: citations.slice(0, 2), support: 0.9 },
  { pointer: '/10', citations: [], support: 0.8 },
  { pointer: '/2', citations: citations.slice(2) },
  { pointer: '/a', citations: [], support: 0.1 },
];

test('a value stands at the end of its run as its text does, and each of its facts with what it is from', async () => {
  const path = await ended({ basis, citations, unsupported: ['/a'] });
  const { text, run } = await read(path);
  expect(text.endsWith(`,"output":${finalText}}`)).toBe(true);
  expect(run).toMatchObject({ status: 'succeeded', result: finalText, citations, unsupported: ['/a'] });
  expect(run.output).toEqual(JSON.parse(finalText));
  expect(run.basis).toEqual(shownBasis);
  const cancelled = await read(`${path}/cancel`, { method: 'POST' });
  expect(cancelled.text).toBe(text);
});

test('a list has the text of a value, and neither the value nor its basis', async () => {
  const path = await ended({ basis, citations, unsupported: ['/a'] });
  const { run } = await read(path);
  const { output, basis: _, unsupported, ...listed } = run;
  expect([output, unsupported]).toEqual([JSON.parse(finalText), ['/a']]);
  const { runs } = (await read('/v1/agents/runs')).run as { runs: object[] };
  expect(runs[0]).toEqual(listed);
});

test('a value, its basis and its citations that are too long for the item of the run are read whole', async () => {
  const rows = Array.from({ length: 1_000 }, (_, i) => ({ [`${1_000 - i}`]: 'noon '.repeat(20) }));
  const long = JSON.stringify({ rows });
  const fields = rows.map((_, i) => ({
    ...{ pointer: `/rows/${i}/${1_000 - i}`, support: 0.5 },
    ...{ startIndex: 100 * i, endIndex: 100 * i + 50 },
  }));
  const cited = fields
    .slice(0, 100)
    .map((field) => citing(field, 'https://example.com', 'noon '.repeat(100)));
  const { text, run } = await read(await ended({ basis: fields, citations: cited }, long));
  expect(text.endsWith(`,"output":${long}}`)).toBe(true);
  expect(run).toMatchObject({ result: long, citations: cited });
  expect(run).not.toHaveProperty('unsupported');
  expect(run.basis).toEqual(
    fields.map(({ pointer }, i) => ({ pointer, citations: cited.slice(i, i + 1), support: 0.5 })),
  );
});

test('a value without facts has an empty basis', async () => {
  const { text, run } = await read(await ended({ basis: [], unsupported: [] }, '{"rows":[]}'));
  expect(run).toMatchObject({ basis: [], unsupported: [], output: { rows: [] } });
  expect(text.endsWith(',"output":{"rows":[]}}')).toBe(true);
});

test('an answer that happens to be JSON is no value, nor is what a run asks for', async () => {
  const { run } = await read(await ended({ citations }, '{"a":1}'));
  expect(run).toMatchObject({ result: '{"a":1}', citations });
  const asked = { type: 'input_required' as const, message: '{"a":1}', expected: [] };
  const waiting = await read(await ended({ events: [asked] }));
  expect(waiting.run).toMatchObject({ status: 'awaiting_input', result: '{"a":1}' });
  for (const each of [run, waiting.run])
    for (const field of ['output', 'basis', 'unsupported']) expect(each).not.toHaveProperty(field);
});

test('a run that wrote nothing that fits says so', async () => {
  const state = { phase: 'ended' as const, stopReason: 'schema' as const };
  const error = { type: 'error' as const, message: 'Nothing fits: /rows is missing.' };
  const { run } = await read(await ended({ events: [error], state: state as never }));
  expect(run).toMatchObject({ status: 'failed', error: error.message, stopReason: 'schema' });
  expect(run).not.toHaveProperty('output');
});
