import { expect } from 'vitest';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { connect } from './connect.ts';

const embeddingsOf = ({ url, key }: Errand) => connect(url, key).withOptions({ maxRetries: 0 }).embeddings;

/** Numbers that 32-bit floats hold exactly. */
const vectors = [
  [0.5, -0.25, 0.125],
  [-1, 0.75, 2],
];
const usage = { prompt_tokens: 7, total_tokens: 7 };
const base64 = (numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString('base64');

client('openai', 'embeddings', ({ works }) => {
  const answering = (write: (numbers: number[]) => unknown) => (errand: Errand) =>
    errand.upstream.script((wire) => {
      const data = vectors.map((numbers, index) => ({
        object: 'embedding',
        index,
        embedding: write(numbers),
      }));
      return wire.json(200, { object: 'list', data, model: 'upstream-meaning', usage });
    });

  works(
    '`create`, which asks for base64 unless told otherwise, whether the provider writes base64 or numbers',
    async (errand) => {
      for (const write of [base64, (numbers: number[]) => numbers]) {
        answering(write)(errand);
        const made = await embeddingsOf(errand).create({ model: 'meaning', input: ['one', 'two'] });
        expect(errand.upstream.requests[0]?.body).toMatchObject({ encoding_format: 'base64' });
        expect(made.data.map(({ embedding }) => embedding)).toEqual(vectors);
        expect(made).toMatchObject({ model: 'meaning', usage, impact: { energy: { unit: 'Wms' } } });
      }
    },
  );

  works('`create` with `encoding_format: "float"` and `dimensions`', async (errand) => {
    answering(base64)(errand);
    const made = await embeddingsOf(errand).create({
      model: 'meaning',
      input: ['one', 'two'],
      encoding_format: 'float',
      dimensions: 3,
    });
    expect(errand.upstream.requests[0]?.body).toEqual({
      model: 'upstream-meaning',
      input: ['one', 'two'],
      dimensions: 3,
    });
    expect(made.data.map(({ embedding }) => embedding)).toEqual(vectors);
  });

  works('400: `BadRequestError` for a model of another kind', async (errand) => {
    const refused = embeddingsOf(errand).create({ model: 'writer', input: 'one' });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'model_kind_unsupported',
      param: 'model',
      message: expect.stringContaining('Model "writer" makes no embeddings.'),
    });
  });
});
