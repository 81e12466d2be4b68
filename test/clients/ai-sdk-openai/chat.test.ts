import { generateText, streamText } from 'ai';
import { expect } from 'vitest';
import { chunk, event, hello, streams } from '../../chat/support/chunks.ts';
import { png } from '../../support/forbidden-images.ts';
import type { Wire } from '../../support/scripted-upstream.ts';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { isDown, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = ({ url, key }: Errand, id = 'writer') => connect(url, key).chat(id);
const prompt = 'Say hello';
const atOnce = { maxRetries: 0 };

client('@ai-sdk/openai', 'chat', ({ works, fails }) => {
  works('`generateText` with `.chat(id)`, with usage', async (errand) => {
    errand.upstream.script(says('Hello'));
    const { text, usage } = await generateText({ model: model(errand), prompt });
    expect([text, usage.inputTokens, usage.outputTokens]).toEqual(['Hello', 20, 5]);
  });

  works('`streamText` with `.chat(id)`, with usage and finish reason', async (errand) => {
    errand.upstream.script(hello);
    const result = streamText({ model: model(errand), prompt });
    expect(await collect(result.textStream)).toEqual(['Hel', 'lo']);
    expect(await result.usage).toMatchObject({ inputTokens: 20, outputTokens: 5 });
    expect(await result.finishReason).toBe('stop');
  });

  works('an image part reaches a model that sees', async (errand) => {
    errand.upstream.script(says('A dot.'));
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image' as const, image: png, mediaType: 'image/png' },
    ];
    const messages = [{ role: 'user' as const, content }];
    const { text } = await generateText({ model: model(errand, 'eyes'), messages });
    expect(text).toBe('A dot.');
    expect(errand.upstream.requests[0]?.text).toContain(png.toString('base64'));
  });

  works('an `AbortSignal` ends the provider’s work', async (errand) => {
    const arrived = Promise.withResolvers<Wire>();
    errand.upstream.script(async (wire) => {
      await wire.head();
      await wire.send(event(chunk({ content: 'Hello' })));
      arrived.resolve(wire);
    });
    const controller = new AbortController();
    const { textStream } = streamText({ model: model(errand), prompt, abortSignal: controller.signal });
    for await (const _ of textStream) controller.abort();
    await (await arrived.promise).closed;
  });

  works('400: `APICallError` with the service’s words, not retried', async (errand) => {
    const refused = generateText({ model: model(errand, 'nobody'), prompt });
    await expect(refused).rejects.toMatchObject({
      name: 'AI_APICallError',
      statusCode: 400,
      message: expect.stringContaining('There is no model "nobody".'),
      isRetryable: false,
    });
  });

  works('401: `APICallError`', async ({ url }) => {
    const refused = generateText({ model: connect(url, 'wrong').chat('writer'), prompt });
    await expect(refused).rejects.toMatchObject({ name: 'AI_APICallError', statusCode: 401 });
  });

  works('503: `APICallError` that may be retried', async (errand) => {
    errand.upstream.script(isDown);
    const refused = generateText({ model: model(errand), prompt, ...atOnce });
    await expect(refused).rejects.toMatchObject({ statusCode: 503, isRetryable: true });
  });

  works('an answer that breaks off: the stream’s error says so', async (errand) => {
    errand.upstream.script(streams(event(chunk({ content: 'Hel' }))));
    const errors: unknown[] = [];
    const result = streamText({
      model: model(errand),
      prompt,
      onError: ({ error }) => void errors.push(error),
    });
    expect(await collect(result.textStream)).toEqual(['Hel']);
    expect(JSON.stringify(errors)).toContain('The model stopped before its answer was complete');
  });

  const statusOnly = {
    because: 'the refusal is not in OpenAI’s envelope, so that only its status is told',
    error: { statusCode: 402, message: 'Payment Required' },
  };
  fails('402: `APICallError` with the service’s words', statusOnly, async ({ url, service }) => {
    const { key } = await service.newAccount('0');
    await generateText({ model: connect(url, key).chat('writer'), prompt, ...atOnce });
  });
});
