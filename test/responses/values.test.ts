import { limits } from '@errand/platform';
import { readRunInput } from '@errand/runs';
import { runsDeps } from '@errand/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { type End, endRun } from '../runs/support/end-run.ts';

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

const model = 'agent:default';
const schema =
  '{"type":"object","properties":{"name":{"type":"string"},"10":{"type":["integer","null"]}},"additionalProperties":false}';
const format = { type: 'json_schema', name: 'lock', strict: true, schema: JSON.parse(schema) as object };
const value = '{"name":"Koopvaarders","10":null}';
const basis = [
  { pointer: '/name', startIndex: 8, endIndex: 22, support: 0.9 },
  { pointer: '/10', startIndex: 28, endIndex: 32, support: 0.1 },
];
const cited = {
  ...({ type: 'url_citation', url: 'https://example.com', title: 'Locks' } as const),
  ...{ number: 1, startIndex: 8, endIndex: 22, passage: 'The lock Koopvaarders.', support: 0.9 },
};
const withValue: End = {
  events: [
    { type: 'text', text: 'I have found it.' },
    { type: 'text', text: value },
    { type: 'done', finalText: value },
  ],
  citations: [cited],
  basis,
  unsupported: ['/10'],
};

/** As text, so that its keys are sent in their order. */
const bodyOf = (more: object, sentSchema: string) => {
  const body = { model, input: 'Which locks?', background: true, ...more };
  return JSON.stringify(body).replace(JSON.stringify(format.schema), () => sentSchema);
};

const post = (more: object, sentSchema = schema): Promise<Response> =>
  desk.request('/v1/responses', { method: 'POST', body: bodyOf(more, sentSchema) });

async function created(more: object, sentSchema?: string): Promise<string> {
  const response = await post(more, sentSchema);
  const body = (await response.json()) as { id: string };
  expect([response.status, body]).toEqual([200, expect.objectContaining({ status: 'queued' })]);
  return body.id;
}

const read = async (id: string) =>
  (await (await desk.request(`/v1/responses/${id}`)).json()) as Record<string, unknown>;

const inputOf = async (id: string) => (await readRunInput(runsDeps(desk.parts), id)).agent;

const refusal = async (text: object): Promise<unknown> => {
  const response = await post({ text });
  const { error } = (await response.json()) as { error: { param: unknown; code: unknown } };
  return [response.status, error.param, error.code];
};

describe('text.format of agent:default', () => {
  test('is the schema of the run, and is echoed whenever the response is read', async () => {
    const id = await created({ text: { format } });
    expect((await inputOf(id)).outputSchema).toBe(schema);
    expect(await read(id)).toMatchObject({ status: 'queued', text: { format } });
    await endRun(desk, id, withValue);
    expect(await read(id)).toMatchObject({ status: 'completed', text: { format } });
  });

  test('says of the whole value what its schema does not say', async () => {
    const id = await created({ text: { format: { ...format, strict: false, description: 'A lock.' } } });
    expect((await inputOf(id)).outputSchema).toBe(`${schema.slice(0, -1)},"description":"A lock."}`);
    expect(await read(id)).toMatchObject({ text: { format: { description: 'A lock.', strict: false } } });
    const own = `{"description":"Mine.",${schema.slice(1)}`;
    const other = await created({ text: { format: { ...format, description: 'A lock.' } } }, own);
    expect((await inputOf(other)).outputSchema).toBe(own);
  });

  test('is told of a run that came through another door', async () => {
    const id = await desk.start({ question: 'Which locks?', outputSchema: format.schema });
    expect(await read(id)).toMatchObject({ text: { format: { ...format, name: 'answer' } } });
  });

  test('is that of the run before, where a failed one is carried on with', async () => {
    const id = await created({ text: { format } });
    await endRun(desk, id, { events: [{ type: 'error', message: 'No.' }] });
    const next = await created({ input: [], previous_response_id: id });
    expect((await inputOf(next)).outputSchema).toBe(schema);
    expect(await read(next)).toMatchObject({ text: { format: { type: 'json_schema' } } });
    const asked = await created({ input: 'And the bridges?', previous_response_id: id });
    expect((await inputOf(asked)).outputSchema).toBe(undefined);
    expect(await read(asked)).toMatchObject({ text: { format: { type: 'text' } } });
  });

  test('may be text', async () => {
    const id = await created({ text: { format: { type: 'text' } } });
    expect((await inputOf(id)).outputSchema).toBe(undefined);
  });

  test.each<[string, object]>([
    ['text.format', { type: 'json_object' }],
    ['text.format', { type: 'grammar', syntax: 'lark' }],
    ['text.format.schema', { ...format, schema: undefined }],
    ['text.format.schema', { ...format, schema: null }],
    ['text.format.schema', { ...format, schema: { type: 'array', items: { type: 'string' } } }],
    ['text.format.schema.not', { ...format, schema: { type: 'object', not: {} } }],
    ['text.format.name', { ...format, name: 'two words' }],
    ['text.format.name', { ...format, name: 1 }],
    ['text.format.strict', { ...format, strict: 'yes' }],
    ['text.format.description', { ...format, description: 'x'.repeat(limits.markCharacters + 1) }],
    ['text.format.examples', { ...format, examples: [] }],
  ])('is a 400 about %s', async (param, sent) => {
    expect(await refusal({ format: sent })).toEqual([400, param, 'invalid_request']);
  });
});

describe('the response of a run with a schema', () => {
  test('has the value as its only text, with the citations of its fields, and what is not supported', async () => {
    const id = await created({ text: { format } });
    await endRun(desk, id, withValue);
    const response = await read(id);
    expect(response).toMatchObject({
      ...{ status: 'completed', unsupported: ['/10'] },
      output: [
        { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'I have found it.' }] },
        {
          type: 'message',
          content: [
            {
              ...{ type: 'output_text', text: value },
              annotations: [{ type: 'url_citation', start_index: 8, end_index: 22, support: 0.9 }],
            },
          ],
        },
      ],
    });
    const streamed = await (await desk.request(`/v1/responses/${id}?stream=true`)).text();
    expect(streamed).toContain('event: response.completed\n');
    expect(await (await desk.request(`/v1/responses/${id}?stream=true`)).text()).toBe(streamed);
  });

  test('that lacks input says what in its fields and as reasoning, and has no text', async () => {
    const id = await created({ text: { format } });
    const expected = [{ name: 'documentUrl' as const, description: 'The report.' }];
    await endRun(desk, id, { events: [{ type: 'input_required', message: 'Which report?', expected }] });
    const response = await read(id);
    expect(response).toMatchObject({
      ...{ status: 'incomplete', incomplete_details: { reason: 'awaiting_input' } },
      ...{ required_input: expected, output: [{ type: 'reasoning', content: [{ text: 'Which report?' }] }] },
    });
    expect(JSON.stringify(response)).not.toContain('output_text');
  });

  test('is failed if nothing fitted', async () => {
    const id = await created({ text: { format } });
    const state = { phase: 'ended', stopReason: 'schema' } as unknown as End['state'];
    await endRun(desk, id, { events: [{ type: 'error', message: 'Nothing fits.' }], state });
    expect(await read(id)).toMatchObject({
      ...{ status: 'failed', stop_reason: 'schema', output: [] },
      error: { code: 'run_failed', message: 'Nothing fits.' },
    });
  });
});
