import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'vitest';
import { chunk, done, event, hello, streams, usageChunk } from '../../chat/support/chunks.ts';
import { png } from '../../support/forbidden-images.ts';
import type { Wire } from '../../support/scripted-upstream.ts';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { says } from '../support/speak.ts';
import { connect } from './connect.ts';

const messages = [{ role: 'user' as const, content: 'Say hello' }];
const asked = { model: 'writer', max_tokens: 100, messages };

const anthropic = ({ url, key }: Errand) => connect(url, key).withOptions({ maxRetries: 0 });

/** Of 20 tokens that were read, 8 are of the cache. */
const usage = { input_tokens: 12, cache_read_input_tokens: 8, output_tokens: 5 };

/** An upstream that thinks, and then says a word. */
const thinks = streams(
  event(chunk({ reasoning_content: 'Hm.' })),
  event(chunk({ content: 'Hello' })),
  ...[chunk({}, 'stop'), usageChunk].map(event),
  done,
);

client('@anthropic-ai/sdk', 'messages', ({ works, fails }) => {
  works('`create`, with usage and impact', async (errand) => {
    errand.upstream.script(says('Hello'));
    const message = await anthropic(errand).messages.create(asked);
    expect(message).toMatchObject({ model: 'writer', stop_reason: 'end_turn', usage });
    expect(message.content).toEqual([{ type: 'text', text: 'Hello' }]);
    expect(message).toHaveProperty('impact.energy.unit', 'Wms');
  });

  works('`create` with `stream: true`: usage and impact in `message_delta`', async (errand) => {
    errand.upstream.script(hello);
    const events = await collect(await anthropic(errand).messages.create({ ...asked, stream: true }));
    const texts = events.map((one) =>
      one.type === 'content_block_delta' && one.delta.type === 'text_delta' ? one.delta.text : '',
    );
    expect(texts.join('')).toBe('Hello');
    expect(events.at(-2)).toMatchObject({
      type: 'message_delta',
      usage,
      impact: { energy: { unit: 'Wms' } },
    });
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
  });

  works('the `.stream()` helper: events, final text, final message', async (errand) => {
    errand.upstream.script(hello);
    const stream = anthropic(errand).messages.stream(asked);
    const deltas: string[] = [];
    stream.on('text', (delta) => void deltas.push(delta));
    expect(await stream.finalText()).toBe('Hello');
    expect(deltas).toEqual(['Hel', 'lo']);
    expect(await stream.finalMessage()).toMatchObject({ stop_reason: 'end_turn', usage });
  });

  works('thinking, which goes back to the model that thought it', async (errand) => {
    errand.upstream.script(thinks);
    const { content } = await anthropic(errand).messages.stream(asked).finalMessage();
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'Hm.', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'Hello' },
    ]);
    errand.upstream.script(says('Again.'));
    const more = [...messages, { role: 'assistant' as const, content }, ...messages];
    await anthropic(errand).messages.create({ ...asked, messages: more });
    expect(errand.upstream.requests[0]?.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'Hello', reasoning_content: 'Hm.' },
      { role: 'user' },
    ]);
  });

  works('an image block reaches a model that sees', async (errand) => {
    errand.upstream.script(says('A dot.'));
    const source = {
      type: 'base64' as const,
      media_type: 'image/png' as const,
      data: png.toString('base64'),
    };
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image' as const, source },
    ];
    await anthropic(errand).messages.create({
      ...asked,
      model: 'eyes',
      messages: [{ role: 'user', content }],
    });
    expect(errand.upstream.requests[0]?.text).toContain(png.toString('base64'));
  });

  works('`system` blocks with `cache_control`, `stop_sequences`, `metadata`', async (errand) => {
    errand.upstream.script(says('Hello'));
    const cache_control = { type: 'ephemeral' as const };
    await anthropic(errand).messages.create({
      ...asked,
      system: [{ type: 'text', text: 'Be brief.', cache_control }],
      stop_sequences: ['STOP'],
      metadata: { user_id: 'ada' },
    });
    expect(errand.upstream.requests[0]?.body).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
      stop: ['STOP'],
      user: 'ada',
    });
  });

  works('aborting a stream, which ends the provider’s work too', async (errand) => {
    const arrived = Promise.withResolvers<Wire>();
    errand.upstream.script(async (wire) => {
      await wire.head();
      await wire.send(event(chunk({ content: 'Hello' })));
      arrived.resolve(wire);
    });
    const stream = anthropic(errand).messages.stream(asked);
    stream.on('text', () => stream.abort());
    await expect(stream.done()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    await (await arrived.promise).closed;
  });

  works('`messages.countTokens`', async (errand) => {
    const { max_tokens: _, ...counted } = asked;
    const { input_tokens } = await anthropic(errand).messages.countTokens(counted);
    expect(input_tokens).toBeGreaterThan(2);
  });

  works('`models.list` and `models.retrieve`', async (errand) => {
    const models = await collect(anthropic(errand).models.list());
    expect(models).toContainEqual(expect.objectContaining({ id: 'writer', type: 'model' }));
    expect(await anthropic(errand).models.retrieve('writer')).toMatchObject({
      display_name: 'writer',
      max_input_tokens: 32_768,
    });
  });

  const notServed = (path: string) => ({
    because: `\`${path}\` is not served`,
    error: { status: 404, error: { error: { code: 'unknown_url' } } },
  });
  fails('`messages.batches.create`', notServed('/v1/messages/batches'), async (errand) => {
    await anthropic(errand).messages.batches.create({ requests: [{ custom_id: 'one', params: asked }] });
  });
  fails('`beta.files.list`', notServed('/v1/files'), async (errand) => {
    await anthropic(errand).beta.files.list();
  });
});
