import OpenAI from 'openai';
import { expect } from 'vitest';
import { chunk, event, streams } from '../../chat/support/chunks.ts';
import { client } from '../support/declare-client.ts';
import { type Errand, startErrand } from '../support/errand.ts';
import { hasten } from '../support/hasten.ts';
import { isDown, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const asked = { model: 'writer', messages: [{ role: 'user' as const, content: 'Say hello' }] };

const at = ({ url }: Errand, key: string) => connect(url, key).withOptions({ maxRetries: 0 });
const openai = (errand: Errand) => at(errand, errand.key);

client('openai', 'refusals', ({ works }) => {
  works('400: `BadRequestError` with code, param and type', async (errand) => {
    const refused = openai(errand)
      .chat.completions.create({ ...asked, model: 'nobody' })
      .catch((error: unknown) => error);
    expect(await refused).toBeInstanceOf(OpenAI.BadRequestError);
    expect(await refused).toMatchObject({
      status: 400,
      code: 'model_not_found',
      param: 'model',
      type: 'invalid_request_error',
      requestID: expect.any(String),
    });
  });

  works('401: `AuthenticationError`', async (errand) => {
    const refused = at(errand, 'wrong').chat.completions.create(asked);
    await expect(refused).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  works('402: `APIError` that says that no credits are left', async (errand) => {
    const { key } = await errand.service.newAccount('0');
    const refused = at(errand, key).chat.completions.create(asked);
    await expect(refused).rejects.toBeInstanceOf(OpenAI.APIError);
    await expect(refused).rejects.toMatchObject({
      status: 402,
      message: expect.stringContaining('No remaining credits'),
    });
  });

  works('404: `NotFoundError`', async (errand) => {
    const missing = openai(errand).get('/nothing-here');
    await expect(missing).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  works('429: `RateLimitError`, with a `Retry-After` for each retry', async () => {
    const limited = await startErrand({ RATE_LIMIT_REQUESTS: '1' });
    const { fetch, told } = hasten();
    const patient = at(limited, limited.key).withOptions({ maxRetries: 1, fetch });
    await patient.models.list();
    await expect(patient.models.list()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    expect(told.map(Number)).toEqual([expect.any(Number), expect.any(Number)]);
    await limited.stop();
  });

  works('503: the retry that `Retry-After` asks for gets the answer', async (errand) => {
    const { fetch, told } = hasten();
    let attempts = 0;
    const counted: typeof fetch = (...args) => {
      attempts++;
      return fetch(...args);
    };
    // The service asks its provider more than once itself.
    errand.upstream.script((wire, request) => (attempts < 2 ? isDown : says('Hello'))(wire, request));
    const completion = await openai(errand)
      .withOptions({ maxRetries: 2, fetch: counted })
      .chat.completions.create(asked);
    expect(completion.choices[0]?.message.content).toBe('Hello');
    expect([attempts, told]).toEqual([2, ['5']]);
  });

  works('503 without retries: `InternalServerError`', async (errand) => {
    errand.upstream.script(isDown);
    const refused = openai(errand).chat.completions.create(asked);
    await expect(refused).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(refused).rejects.toMatchObject({ status: 503 });
  });

  works('an answer that breaks off: an error that says so, after what was said', async (errand) => {
    errand.upstream.script(streams(event(chunk({ content: 'Hel' }))));
    const stream = await openai(errand).chat.completions.create({ ...asked, stream: true });
    let text = '';
    const reading = (async () => {
      for await (const part of stream) text += part.choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toThrow('The model stopped before its answer was complete');
    expect(text).toBe('Hel');
  });
});
