import { expect } from 'vitest';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { connect } from './connect.ts';

/** Whether the service answers `GET /v1/models/{id}`. */
const hasModelRetrieve = true;

const openai = ({ url, key }: Errand) => connect(url, key).withOptions({ maxRetries: 0 });
const notServed = (path: string) => ({ because: `\`${path}\` is not served`, error: { status: 404 } });

client('openai', 'models and other routes', ({ works, fails }) => {
  works('`models.list`', async (errand) => {
    const ids = (await openai(errand).models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(['writer', 'writer-compressed', 'eyes', 'eyes-compressed', 'judge', 'meaning']);
  });

  const retrieve = async (errand: Errand) => {
    const model = await openai(errand).models.retrieve('writer');
    expect(model).toMatchObject({ id: 'writer', object: 'model', created: expect.any(Number) });
    await expect(openai(errand).models.retrieve('nobody')).rejects.toMatchObject({ status: 404 });
  };
  if (hasModelRetrieve) works('`models.retrieve`', retrieve);
  else fails('`models.retrieve`', notServed('GET /v1/models/{id}'), retrieve);

  fails('`completions.create`', notServed('/v1/completions'), async (errand) => {
    await openai(errand).completions.create({ model: 'writer', prompt: 'Say hello' });
  });
  fails('`images.generate`', notServed('/v1/images/generations'), async (errand) => {
    await openai(errand).images.generate({ model: 'writer', prompt: 'A dot' });
  });
  fails('`audio.speech.create`', notServed('/v1/audio/speech'), async (errand) => {
    await openai(errand).audio.speech.create({ model: 'writer', voice: 'alloy', input: 'hello' });
  });
});
