import { createErrand, type Errand, type JsonSchema, RunError } from '@errand/client';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { beforeAll, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';

let service: TestService;
let errand: Errand;
useServiceAlone((started) => ({ service } = started));
beforeAll(() => {
  errand = createErrand({ baseUrl: service.baseUrl, apiKey: service.apiKey });
});

interface Crew {
  ship: string;
  people: { name: string; age: number | null; email?: string }[];
}

const schemas = {
  zod: z.object({
    ship: z.string().min(1),
    people: z.array(z.object({ name: z.string(), age: z.int().nullable(), email: z.email().optional() })),
  }),
  arktype: type({
    ship: 'string > 0',
    people: type({ name: 'string', age: 'number.integer | null', 'email?': 'string.email' }).array(),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      ship: v.pipe(v.string(), v.nonEmpty()),
      people: v.array(
        v.object({
          name: v.string(),
          age: v.nullable(v.pipe(v.number(), v.integer())),
          email: v.exactOptional(v.pipe(v.string(), v.email())),
        }),
      ),
    }),
  ),
};

const question = { question: 'Who is on the ship?' };
const made = {
  ship: 'stand-in',
  people: [
    { name: 'stand-in', age: 0, email: 'stand-in@example.com' },
    { name: 'stand-in', age: 0, email: 'stand-in@example.com' },
  ],
};

test.each(Object.entries(schemas))('a run with a schema of %s has a value of its type', async (_, schema) => {
  const run = await errand.run(question, { schema });
  expect(run.output).toEqual(made);
  expect(JSON.parse(run.result ?? '')).toEqual(made);
  expect(run.basis?.map(({ pointer }) => pointer)).toContain('/people/1/name');
  expectTypeOf(run.output.people[0]).toExtend<{ name: string; age: number | null } | undefined>();
});

test('the type of the value is that of the library', async () => {
  const start = () => errand.run(question, { schema: schemas.zod });
  expectTypeOf<Awaited<ReturnType<typeof start>>['output']>().toEqualTypeOf<z.output<typeof schemas.zod>>();
  const byArk = () => errand.runs.start(question, { schema: schemas.arktype });
  type Ended = Awaited<ReturnType<Awaited<ReturnType<typeof byArk>>['wait']>>;
  expectTypeOf<NonNullable<Ended['output']>>().toEqualTypeOf<typeof schemas.arktype.infer>();
  const plain = () => errand.run<Crew>(question, { schema: schemas.zod.toJSONSchema() as JsonSchema });
  expectTypeOf<Awaited<ReturnType<typeof plain>>['output']>().toEqualTypeOf<Crew>();
});

test('a plain JSON Schema is taken as it is, with the type that its caller names', async () => {
  const { $schema, ...plain } = z.toJSONSchema(schemas.zod);
  const run = await errand.run<Crew>(question, { schema: plain });
  expect(run.output).toEqual(made);
});

test('a value is read by the library: what it adds and turns into other types is there', async () => {
  const schema = z.object({
    day: z.iso.date().transform((day) => new Date(day)),
    kind: z.string().default('x'),
  });
  const run = await errand.run(question, { schema });
  expectTypeOf(run.output.day).toEqualTypeOf<Date>();
  expect(run.output.day).toEqual(new Date('2000-01-01'));
});

test('a value that the library does not take is thrown, with the run', async () => {
  const schema = z.object({ name: z.string().refine((name) => name !== 'stand-in', 'no stand-ins') });
  const error: unknown = await errand.run(question, { schema }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RunError);
  expect(error).toMatchObject({
    message: expect.stringContaining('name: no stand-ins'),
    run: { status: 'succeeded', output: { name: 'stand-in' } },
  });
});

test('a schema that has no JSON Schema is refused before anything is sent', async () => {
  const schema = v.object({ a: v.string() }) as unknown as JsonSchema;
  await expect(errand.run(question, { schema })).rejects.toThrow(/toStandardJsonSchema/);
});

test('a schema that the service does not take is refused with the place', async () => {
  const schema = z.object({ names: z.record(z.string(), z.string()) });
  await expect(errand.run(question, { schema })).rejects.toMatchObject({
    name: 'InvalidRequestError',
    message: expect.stringContaining('outputSchema'),
  });
});
