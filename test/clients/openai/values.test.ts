import { zodTextFormat } from 'openai/helpers/zod';
import { expect } from 'vitest';
import { z } from 'zod';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = 'agent:default';
const responsesOf = ({ url, key }: Errand) => connect(url, key).withOptions({ maxRetries: 0 }).responses;

const lock = z.object({
  name: z.string().describe('The name of the lock.'),
  length: z.int().nullable(),
  gates: z.array(z.object({ side: z.enum(['sea', 'land']), email: z.email().nullable() })),
  kind: z.discriminatedUnion('type', [
    z.object({ type: z.literal('sea'), depth: z.number() }),
    z.object({ type: z.literal('river') }),
  ]),
});
type Chain = { name: string; next: Chain | null };
const chain: z.ZodType<Chain> = z.object({
  name: z.string(),
  get next() {
    return chain.nullable();
  },
});

const koopvaarders: z.infer<typeof lock> = {
  ...{ name: 'Koopvaarders', length: 120 },
  gates: [
    { side: 'sea', email: 'sea@example.com' },
    { side: 'land', email: null },
  ],
  kind: { type: 'sea', depth: 4.5 },
};

const finds = ({ upstream }: Errand, value: object) =>
  upstream.script(
    says('I have found it.'),
    says(JSON.stringify({ value, sources: [{ pointer: '', numbers: [0] }] })),
  );

const asking = { model, input: 'Which lock?', text: { format: zodTextFormat(lock, 'lock') } };

client('openai', 'responses that are runs, with a schema', ({ works }) => {
  works('`responses.parse` with `zodTextFormat`', async (errand) => {
    finds(errand, koopvaarders);
    const response = await responsesOf(errand).parse(asking);
    expect(response.output_parsed).toEqual(koopvaarders);
    expect(response.text?.format).toMatchObject({ type: 'json_schema', name: 'lock', strict: true });
    expect(await errand.service.read(response.id)).toMatchObject({ output: koopvaarders });
    expect(errand.upstream.requests[1]?.body.response_format).toMatchObject({ type: 'json_schema' });
  });

  works('`responses.parse` with a schema that goes on in itself', async (errand) => {
    const value = { name: 'a', next: { name: 'b', next: null } };
    finds(errand, value);
    const format = zodTextFormat(chain, 'chain');
    expect((await responsesOf(errand).parse({ ...asking, text: { format } })).output_parsed).toEqual(value);
  });

  works('`responses.stream` with `zodTextFormat`', async (errand) => {
    finds(errand, koopvaarders);
    const stream = responsesOf(errand).stream(asking);
    expect((await stream.finalResponse()).output_parsed).toEqual(koopvaarders);
  });

  works(
    '`responses.parse` of a run that lacks input, or fails: no value, and no error of the client',
    async (errand) => {
      const expected = [{ name: 'documentUrl', description: 'The map.' }];
      errand.upstream.script(calls('request_input', { message: 'Which map?', expected }));
      expect(await responsesOf(errand).parse(asking)).toMatchObject({
        ...{ status: 'incomplete', output_parsed: null, output_text: '' },
      });
      errand.upstream.script(says('I have found it.'), says('{"value":{},"sources":[]}'));
      expect(await responsesOf(errand).parse(asking)).toMatchObject({
        ...{ status: 'failed', output_parsed: null, stop_reason: 'schema' },
      });
    },
  );
});
