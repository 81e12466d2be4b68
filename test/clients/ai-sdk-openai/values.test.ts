import { generateObject, generateText, Output, streamObject } from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = ({ url, key }: Errand) => connect(url, key)('agent:default');
const schema = z.object({
  name: z.string(),
  built: z.int().nullable(),
  note: z.string().optional(),
  kind: z.union([z.literal('sea'), z.literal('river')]),
});
const value: z.infer<typeof schema> = { name: 'Koopvaarders', built: null, kind: 'sea' };
const prompt = 'Which lock?';

const finds = ({ upstream }: Errand, found: object) =>
  upstream.script(
    says('I have found it.'),
    says(JSON.stringify({ value: found, sources: [{ pointer: '', numbers: [0] }] })),
  );

client('@ai-sdk/openai', 'responses that are runs, with a schema', ({ works }) => {
  works('`generateObject` with zod', async (errand) => {
    finds(errand, value);
    const answer = await generateObject({
      ...{ model: model(errand), schema, prompt },
      ...{ schemaName: 'lock', schemaDescription: 'A lock.' },
    });
    expect(answer.object).toEqual(value);
    expect(errand.upstream.requests[0]?.text).toContain('A lock.');
  });

  works("`generateObject` with `output: 'array'` and `output: 'enum'`", async (errand) => {
    finds(errand, { elements: [value] });
    const list = await generateObject({ model: model(errand), output: 'array', schema, prompt });
    expect(list.object).toEqual([value]);
    finds(errand, { result: 'river' });
    const kinds = { output: 'enum' as const, enum: ['sea', 'river'] };
    expect((await generateObject({ model: model(errand), ...kinds, prompt })).object).toBe('river');
  });

  works('`streamObject`, and `generateText` with `Output.object`', async (errand) => {
    finds(errand, value);
    const stream = streamObject({ model: model(errand), schema, prompt });
    const parts: object[] = [];
    for await (const part of stream.partialObjectStream) parts.push(part);
    expect([parts.at(-1), await stream.object]).toEqual([value, value]);
    finds(errand, value);
    const output = Output.object({ schema });
    expect((await generateText({ model: model(errand), output, prompt })).output).toEqual(value);
  });

  works('`generateObject` of a run that lacks input says that there is no object', async (errand) => {
    const expected = [{ name: 'documentUrl', description: 'The map.' }];
    errand.upstream.script(calls('request_input', { message: 'Which map?', expected }));
    await expect(generateObject({ model: model(errand), schema, prompt })).rejects.toThrow(
      /No object generated/,
    );
  });
});
