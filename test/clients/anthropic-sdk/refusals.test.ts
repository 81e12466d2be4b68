import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'vitest';
import { chunk, event, streams } from '../../chat/support/chunks.ts';
import { client } from '../support/declare-client.ts';
import { type Errand, startErrand } from '../support/errand.ts';
import { hasten } from '../support/hasten.ts';
import { isDown, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const messages = [{ role: 'user' as const, content: 'Say hello' }];
const asked = { model: 'writer', max_tokens: 100, messages };

const at = ({ url }: Errand, key: string) => connect(url, key).withOptions({ maxRetries: 0 });
const anthropic = (errand: Errand) => at(errand, errand.key);

client('@anthropic-ai/sdk', 'refusals', ({ works }) => {
  works('400: `BadRequestError` with type, words and request id', async (errand) => {
    const refused = anthropic(errand).messages.create({ ...asked, model: 'nobody' });
    await expect(refused).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      apiMessage: expect.stringContaining('There is no model "nobody".'),
      requestID: expect.any(String),
    });
  });

  works('401: `AuthenticationError`', async (errand) => {
    const refused = at(errand, 'wrong').messages.create(asked);
    await expect(refused).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    await expect(refused).rejects.toHaveProperty('type', 'authentication_error');
  });

  works('a key as `authToken`', async ({ url, key, upstream }) => {
    upstream.script(says('Hello'));
    const bearer = new Anthropic({ baseURL: url, apiKey: null, authToken: key });
    expect((await bearer.messages.create(asked)).content).toMatchObject([{ text: 'Hello' }]);
  });

  works('402: `PaymentRequiredError` that says that no credits are left', async (errand) => {
    const { key } = await errand.service.newAccount('0');
    const refused = at(errand, key).messages.create(asked);
    await expect(refused).rejects.toBeInstanceOf(Anthropic.PaymentRequiredError);
    await expect(refused).rejects.toMatchObject({
      type: 'billing_error',
      apiMessage: expect.stringContaining('No remaining credits'),
    });
  });

  works('429: `RateLimitError`, with a `Retry-After` for each retry', async () => {
    const limited = await startErrand({ RATE_LIMIT_REQUESTS: '1' });
    const { fetch, told } = hasten();
    const patient = at(limited, limited.key).withOptions({ maxRetries: 1, fetch });
    await patient.models.list();
    const refused = patient.messages.create(asked);
    await expect(refused).rejects.toBeInstanceOf(Anthropic.RateLimitError);
    await expect(refused).rejects.toHaveProperty('type', 'rate_limit_error');
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
    const patient = anthropic(errand).withOptions({ maxRetries: 2, fetch: counted });
    expect((await patient.messages.create(asked)).content).toMatchObject([{ text: 'Hello' }]);
    expect([attempts, told]).toEqual([2, ['5']]);
  });

  works('503 without retries: `ServiceUnavailableError`', async (errand) => {
    errand.upstream.script(isDown);
    const refused = anthropic(errand).messages.create(asked);
    await expect(refused).rejects.toBeInstanceOf(Anthropic.InternalServerError);
    await expect(refused).rejects.toMatchObject({ status: 503, type: 'overloaded_error' });
  });

  works('an answer that breaks off: an error that says so, after what was said', async (errand) => {
    errand.upstream.script(streams(event(chunk({ content: 'Hel' }))));
    const stream = anthropic(errand).messages.stream(asked);
    let text = '';
    stream.on('text', (delta) => {
      text += delta;
    });
    await expect(stream.done()).rejects.toThrow('The model stopped before its answer was complete');
    expect(text).toBe('Hel');
  });
});
