import OpenAI from 'openai';
import { expect } from 'vitest';
import { chunk, event, hello, streams, upstreamUsage } from '../../chat/support/chunks.ts';
import { pngDataUrl } from '../../support/forbidden-images.ts';
import type { Wire } from '../../support/scripted-upstream.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { says } from '../support/speak.ts';
import { connect } from './connect.ts';

const messages = [{ role: 'user' as const, content: 'Say hello' }];
const asked = { model: 'writer', messages };
const streamed = { ...asked, stream: true as const };

const chatOf = ({ url, key }: Errand) => connect(url, key).withOptions({ maxRetries: 0 }).chat.completions;

/** An upstream that sends one word and then nothing, and its connection. */
function silentAfterHello({ upstream }: Errand): Promise<Wire> {
  const arrived = Promise.withResolvers<Wire>();
  upstream.script(async (wire) => {
    await wire.head();
    await wire.send(event(chunk({ content: 'Hello' })));
    arrived.resolve(wire);
  });
  return arrived.promise;
}

client('openai', 'chat', ({ works, fails }) => {
  works('`create`, with usage and impact', async (errand) => {
    errand.upstream.script(says('Hello'));
    const completion = await chatOf(errand).create(asked);
    expect(completion.model).toBe('writer');
    expect(completion.choices[0]?.message.content).toBe('Hello');
    expect(completion.usage).toEqual(upstreamUsage);
    expect(completion).toHaveProperty('impact.energy.unit', 'Wms');
  });

  works(
    '`create` with `stream: true`: usage comes once, whether `include_usage` asks for it or not',
    async (errand) => {
      for (const options of [{}, { stream_options: { include_usage: true } }]) {
        errand.upstream.script(hello);
        const usages: unknown[] = [];
        let text = '';
        for await (const part of await chatOf(errand).create({ ...streamed, ...options })) {
          text += part.choices[0]?.delta.content ?? '';
          if (part.usage) usages.push(part.usage);
        }
        expect(text).toBe('Hello');
        expect(usages).toEqual([upstreamUsage]);
      }
    },
  );

  works(
    'every chunk has a first choice unless usage was asked for, also when the answer breaks off',
    async (errand) => {
      for (const script of [hello, streams(event(chunk({ content: 'Hello' })))]) {
        errand.upstream.script(script);
        let text = '';
        const stream = await chatOf(errand).create(streamed);
        try {
          for await (const part of stream) text += part.choices[0]!.delta.content ?? '';
        } catch (error) {
          expect(error).toHaveProperty('code', 'upstream_failed');
        }
        expect(text).toBe('Hello');
      }
    },
  );

  works('the `.stream()` helper: events, final content, total usage', async (errand) => {
    errand.upstream.script(hello);
    const stream = chatOf(errand).stream({ ...asked, stream_options: { include_usage: true } });
    const deltas: string[] = [];
    stream.on('content', (delta) => void deltas.push(delta));
    expect(await stream.finalContent()).toBe('Hello');
    expect(deltas).toEqual(['Hel', 'lo']);
    expect(await stream.totalUsage()).toMatchObject({ prompt_tokens: 20, completion_tokens: 5 });
  });

  works('an image part reaches a model that sees', async (errand) => {
    errand.upstream.script(says('A dot.'));
    const image = { type: 'image_url' as const, image_url: { url: pngDataUrl } };
    const content = [{ type: 'text' as const, text: 'What is this?' }, image];
    const completion = await chatOf(errand).create({ model: 'eyes', messages: [{ role: 'user', content }] });
    expect(completion.choices[0]?.message.content).toBe('A dot.');
    expect(errand.upstream.requests[0]?.body.messages).toEqual([{ role: 'user', content }]);
  });

  works('aborting a stream, which ends the provider’s work too', async (errand) => {
    const arrived = silentAfterHello(errand);
    const stream = await chatOf(errand).create(streamed);
    for await (const _ of stream) stream.controller.abort();
    await (await arrived).closed;
  });

  works('an `AbortSignal`: `APIUserAbortError`, and the provider’s work ends', async (errand) => {
    const arrived = Promise.withResolvers<Wire>();
    errand.upstream.script((wire) => arrived.resolve(wire));
    const controller = new AbortController();
    const completion = chatOf(errand).create(asked, { signal: controller.signal });
    const wire = await arrived.promise;
    controller.abort();
    await expect(completion).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await wire.closed;
  });

  works('`timeout`: `APIConnectionTimeoutError`', async (errand) => {
    errand.upstream.script(() => {});
    const completion = chatOf(errand).create(asked, { timeout: 100 });
    await expect(completion).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
  });

  works('other parameters reach the provider; `store` and `service_tier` are left out', async (errand) => {
    errand.upstream.script(says('Hello'));
    const passed = {
      temperature: 0.2,
      seed: 7,
      logprobs: true,
      top_logprobs: 2,
      reasoning_effort: 'low' as const,
      verbosity: 'low' as const,
      prompt_cache_key: 'greetings',
      max_completion_tokens: 50,
    };
    await chatOf(errand).create({ ...asked, ...passed, store: true, service_tier: 'flex' });
    // The request of a caller that was gone before may still arrive.
    const reached = errand.upstream.requests.find(({ body }) => body.seed === passed.seed);
    const { model: _, ...sent } = reached?.body ?? {};
    expect(sent).toEqual({ messages, ...passed });
  });

  const refused = (param: string) => ({
    because: 'the service refuses what costs more than its catalogue says',
    error: { status: 400, param },
  });
  fails('`web_search_options`', refused('web_search_options'), async (errand) => {
    await chatOf(errand).create({ ...asked, web_search_options: {} });
  });
  fails('`modalities` with audio', refused('modalities'), async (errand) => {
    const audio = { voice: 'alloy', format: 'mp3' as const };
    await chatOf(errand).create({ ...asked, modalities: ['text', 'audio'], audio });
  });
});
