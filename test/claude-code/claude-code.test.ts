import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunk, done, event, streams, usageChunk } from '../chat/support/chunks.ts';
import { type Errand, startErrand } from '../clients/support/errand.ts';
import { calls, says } from '../clients/support/speak.ts';
import {
  type MessageServer,
  says as saysAsMessage,
  startMessageServer,
  text,
} from '../support/message-server.ts';
import { type ClaudeCodeDesk, claudeCodePath, openClaudeCodeDesk } from './run-claude-code.ts';

const missing = claudeCodePath ? '' : ' (skipped: no Claude Code; docs/clients.md says how to install it)';

interface Message {
  role: string;
  content?: unknown;
}

const callOf = (id: string, name: string, input: object) => ({
  ...{ id, type: 'function' },
  function: { name, arguments: JSON.stringify(input) },
});

const nativeModel = (baseUrl: string) => ({
  ...{ id: 'sonnet', kind: 'chat', contextTokens: 200_000 },
  upstream: { baseUrl, model: 'claude-sonnet', api: 'messages', apiKeyEnv: 'PROVIDER_KEY' },
  price: { inputPerMillionTokens: 3, outputPerMillionTokens: 15 },
});

describe.skipIf(!claudeCodePath)(`Claude Code${missing}`, () => {
  let errand: Errand;
  let native: MessageServer;
  let desk: ClaudeCodeDesk;
  beforeAll(async () => {
    native = await startMessageServer();
    errand = await startErrand({ PROVIDER_KEY: 'sk-of-provider' }, [nativeModel(native.baseUrl)]);
    desk = await openClaudeCodeDesk(errand);
  });
  afterAll(async () => {
    await desk.close();
    await errand.stop();
    await native.close();
  });
  const place = (name: string) => path.join(desk.folder, name);
  const messagesOf = (number: number) => errand.upstream.requests[number]?.body.messages as Message[];

  test('edits a file by the calls of a chat model, and says its last words', async () => {
    const file = place('greeting.txt');
    await writeFile(file, 'Good morning\n');
    errand.upstream.script(
      calls('Read', { file_path: file }),
      calls('Edit', { file_path: file, old_string: 'morning', new_string: 'evening' }),
      says('It is evening now.'),
    );
    const { code, answer } = await desk.run('Greet in the evening.');
    expect([code, answer]).toEqual([0, 'It is evening now.']);
    expect(await readFile(file, 'utf8')).toBe('Good evening\n');
    expect(messagesOf(1)).toContainEqual(
      expect.objectContaining({ role: 'tool', content: expect.stringContaining('Good morning') }),
    );
    expect(errand.upstream.requests).toHaveLength(3);
  });

  test('makes two calls of one answer, and sends their results and the thinking before them back', async () => {
    const names = ['one.txt', 'two.txt'];
    for (const name of names) await writeFile(place(name), `This is ${name}\n`);
    const called = names.map((name) =>
      callOf(`call_${name.slice(0, 3)}`, 'Read', { file_path: place(name) }),
    );
    const deltas = [
      { reasoning_content: 'Hm.' },
      { content: 'Wait.' },
      { tool_calls: called.map((call, index) => ({ index, ...call })) },
    ];
    const chunks = [...deltas.map((delta) => chunk(delta)), chunk({}, 'tool_calls'), usageChunk];
    errand.upstream.script(streams(...chunks.map(event), done), says('Two files.'));
    expect(await desk.run('Read both.')).toMatchObject({ code: 0, answer: 'Two files.' });
    const [said, ...results] = messagesOf(1).slice(
      messagesOf(1).findIndex(({ role }) => role === 'assistant'),
    );
    expect(said).toEqual({
      role: 'assistant',
      content: 'Wait.',
      reasoning_content: 'Hm.',
      tool_calls: called,
    });
    expect(results.slice(0, 2)).toMatchObject(
      names.map((name, index) => ({
        role: 'tool',
        tool_call_id: called[index]?.id,
        content: expect.stringContaining(`This is ${name}`),
      })),
    );
  });

  test('shortens a conversation that is too long for the model', async () => {
    errand.upstream.script(
      calls('Bash', { command: 'true' }),
      (wire) =>
        wire.json(400, {
          error: {
            message: 'Too many tokens.',
            type: 'invalid_request_error',
            code: 'context_length_exceeded',
          },
        }),
      says('<summary>Asked to wait.</summary>'),
      says('Done.'),
    );
    expect(await desk.run('Wait.')).toMatchObject({ code: 0, answer: 'Done.' });
    expect(messagesOf(3)).toHaveLength(2);
    expect(JSON.stringify(messagesOf(3)[1])).toContain('Asked to wait.');
  });

  test('works with a provider that speaks its protocol, which gets its betas and its own signatures', async () => {
    const file = place('greeting.txt');
    await writeFile(file, 'Good morning\n');
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'sig-of-the-provider' };
    const read = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: file } };
    native.script((_, number) =>
      number === 1 ? { content: [thought, text('Wait.'), read] } : saysAsMessage('Read.'),
    );
    expect(await desk.run('Read it.', { model: 'sonnet' })).toMatchObject({ code: 0, answer: 'Read.' });
    expect(native.refused).toEqual([]);
    const [first, second] = native.requests;
    expect(first?.headers['anthropic-beta']).toContain('claude-code');
    expect(first?.body).toHaveProperty('context_management');
    const said = second?.body.messages.find(({ role }) => role === 'assistant');
    expect(said?.content).toMatchObject([thought, { text: 'Wait.' }, { type: 'tool_use', id: 'toolu_1' }]);
    expect(JSON.stringify(second?.body.messages)).toContain('Good morning');
  });

  test('shows why it is refused', async () => {
    expect(await desk.run('Say hello.', { key: 'wrong' })).toMatchObject({
      code: 1,
      answer: expect.stringContaining('401'),
    });
    const { key } = await errand.service.newAccount('0');
    expect(await desk.run('Say hello.', { key })).toMatchObject({
      code: 1,
      answer: expect.stringContaining('No remaining credits (EUR)'),
    });
  });
});
