import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { limits } from '@errand/platform';
import { readRunInput } from '@errand/runs';
import { runsDeps } from '@errand/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { endRun } from './support/end-run.ts';

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

const path = '/v1/agents/runs';
const question = 'Which locks are there?';
const string = { type: 'string' };

/** As text: an object of JavaScript would move its keys. */
const properties = '{"name":{"type":"string"},"10":{"type":"integer"},"2":{"type":["boolean","null"]}}';
const schema = `{"type":"object","properties":${properties},"additionalProperties":false}`;

const send = (body: object | string, headers: Record<string, string> = {}): Promise<Response> =>
  desk.request(path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify({ question, ...body }),
    headers,
  });

const withSchema = (outputSchema: string) => `{"outputSchema":${outputSchema},"question":"${question}"}`;

async function created(response: Promise<Response>): Promise<string> {
  const answer = await response;
  expect([answer.status, answer.status === 202 ? '' : await answer.text()]).toEqual([202, '']);
  return ((await answer.json()) as { agentId: string }).agentId;
}

const storedSchema = async (agentId: string): Promise<string | undefined> =>
  (await readRunInput(runsDeps(desk.parts), agentId)).agent.outputSchema;

const refused = async (outputSchema: string): Promise<[number, string]> => {
  const response = await send(withSchema(outputSchema));
  return [response.status, await response.text()];
};

async function runIds(): Promise<string[]> {
  const { runs } = (await (await desk.request(path)).json()) as { runs: { agentId: string }[] };
  return runs.map(({ agentId }) => agentId);
}

describe('outputSchema of a run', () => {
  test('is kept with its keys in their order, whether it came as JSON or in a form', async () => {
    expect(await storedSchema(await created(send(withSchema(schema))))).toBe(schema);
    const form = new FormData();
    form.set('question', question);
    form.set('outputSchema', schema);
    form.set('file', new Blob(['The lock of Den Helder.']), 'lock.txt');
    const sent = fetchForm(form);
    expect(await storedSchema(await created(sent))).toBe(schema);
  });

  test('may be absent', async () => {
    expect(await storedSchema(await created(send({})))).toBe(undefined);
  });

  test('may have a property of any name, and the last of a name that is there twice', async () => {
    const names =
      '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"string"}}';
    const odd = `{"type":"object","properties":${names},"additionalProperties":false}`;
    expect(await storedSchema(await created(send(withSchema(odd))))).toBe(odd);
    const twice = `{"type":"string",${schema.slice(1)}`;
    expect(await storedSchema(await created(send(withSchema(twice))))).toBe(schema);
    const fields = withSchema('{"type":"string"}').replace(/\}$/, `,"outputSchema":${schema}}`);
    expect(await storedSchema(await created(send(fields)))).toBe(schema);
  });

  test('leaves no earlier release a form of the input in which it would answer in prose', async () => {
    const agentId = await created(send(withSchema(schema)));
    const Key = { pk: `RUN#${agentId}`, sk: 'INPUT' };
    const { parts } = desk;
    const { Item } = await parts.aws.dynamodb.send(new GetCommand({ TableName: parts.tables.runs, Key }));
    expect(Object.keys(JSON.parse(Item?.data as string) as object)).toEqual(
      expect.arrayContaining(['shaped', 'origin']),
    );
    expect(Item?.data).not.toMatch(/^\{"agent"|"guarded":/);
  });

  test('is told with the other problems of a body, by keyword and place', async () => {
    const rows = {
      type: 'array',
      items: { type: 'object', properties: { name: string } },
      uniqueItems: true,
    };
    const response = await send({
      question: '',
      outputSchema: { type: 'object', properties: { rows } },
    });
    expect(response.status).toBe(400);
    expect((await response.text()).split('\n')).toEqual([
      'question: must not be empty',
      expect.stringMatching(/^outputSchema\.properties\.rows\.uniqueItems: .*uniqueItems/),
    ]);
  });

  test.each(['null', '[]', '"{}"', '1', 'true'])('cannot be %s', async (sent) => {
    expect(await refused(sent)).toEqual([400, expect.stringMatching(/^outputSchema: /)]);
  });

  test('in a form has to be JSON that is not too deep', async () => {
    const form = (text: string) => {
      const fields = new FormData();
      fields.set('question', question);
      fields.set('outputSchema', text);
      fields.set('file', new Blob(['Text.']), 'lock.txt');
      return fetchForm(fields);
    };
    const answers = await Promise.all([form('{'), form('[]'), form('['.repeat(20_000))]);
    expect(await Promise.all(answers.map(async (each) => [each.status, await each.text()]))).toEqual([
      [400, 'outputSchema: must be JSON'],
      [400, expect.stringMatching(/^outputSchema: must be an object/)],
      [400, expect.stringMatching(/nested|levels/)],
    ]);
  });

  const nested = (levels: number) =>
    `${'{"type":"object","properties":{"a":'.repeat(levels)}{}${'}}'.repeat(levels)}`;
  test.each<[string, string]>([
    ['deeper than its levels', nested(limits.outputSchemaLevels + 2)],
    ['as deep as a body may be', nested(Math.floor(limits.jsonNestingLevels / 2) - 2)],
    ['larger than its bytes', `{"type":"object","description":"${'a'.repeat(limits.outputSchemaBytes)}"}`],
    ['a circle', '{"$ref":"#"}'],
    [
      'a circle of definitions',
      '{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}',
    ],
    ['with a number past a double', '{"type":"object","properties":{"a":{"type":"number","minimum":1e999}}}'],
    [
      'with half of a character',
      '{"type":"object","properties":{"a":{"type":"string","description":"\\ud800"}}}',
    ],
  ])('that is %s is a 400, and leaves no run', async (_, hostile) => {
    const before = await runIds();
    expect(await refused(hostile)).toEqual([400, expect.stringMatching(/^outputSchema/)]);
    expect(await runIds()).toEqual(before);
  });

  test('of too many levels for a body is refused as any such body is', async () => {
    const response = await send(withSchema(nested(limits.jsonNestingLevels)));
    expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(/levels/)]);
  });

  test.each(['output_schema', 'outputschema', 'OutputSchema', 'outputShema'])(
    'is not lost as %s',
    async (name) => {
      const response = await send({ [name]: { type: 'object' } });
      expect([response.status, await response.text()]).toEqual([
        400,
        `${name}: is not a field: write outputSchema`,
      ]);
    },
  );

  test('is part of what an Idempotency-Key repeats', async () => {
    const headers = { 'Idempotency-Key': 'shaped' };
    const agentId = await created(send(withSchema(schema), headers));
    expect(await created(send(withSchema(schema), headers))).toBe(agentId);
    const other = schema.replace('"integer"', '"number"');
    expect((await send(withSchema(other), headers)).status).toBe(409);
  });
});

const fetchForm = async (form: FormData): Promise<Response> => {
  const request = new Request('http://a.test', { method: 'POST', body: form });
  return desk.request(path, {
    method: 'POST',
    body: await request.arrayBuffer(),
    headers: { 'Content-Type': request.headers.get('Content-Type') ?? '' },
  });
};

describe('outputSchema of a run that goes on from another', () => {
  const failed = async (): Promise<string> => {
    const agentId = await created(send(withSchema(schema)));
    await endRun(desk, agentId, { events: [{ type: 'error', message: 'No.' }] });
    return agentId;
  };

  const follow = (body: object) => desk.request(path, { method: 'POST', body: JSON.stringify(body) });

  test('is that of the run before, if it carries on with its question', async () => {
    const previousRunId = await failed();
    expect(await storedSchema(await created(follow({ previousRunId })))).toBe(schema);
  });

  test('is its own, if it has one or a question', async () => {
    const previousRunId = await failed();
    const own = '{"type":"object","properties":{"lock":{"type":"string"}},"additionalProperties":false}';
    const other = follow({ previousRunId, outputSchema: JSON.parse(own) as object });
    expect(await storedSchema(await created(other))).toBe(own);
    const asked = follow({ previousRunId, question: 'And the bridges?' });
    expect(await storedSchema(await created(asked))).toBe(undefined);
  });
});
