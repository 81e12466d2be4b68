import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunk, done, event, streams, usageChunk } from '../chat/support/chunks.ts';
import { type Errand, startErrand } from '../clients/support/errand.ts';
import { calls, says } from '../clients/support/speak.ts';
import { type CodexDesk, codexPath, openCodexDesk } from './run-codex.ts';

const missing = codexPath ? '' : ' (skipped: no Codex; docs/clients.md says how to install it)';

const patch = `apply_patch <<'EOF'
*** Begin Patch
*** Update File: greeting.txt
@@
-Good morning
+Good evening
*** End Patch
EOF`;

interface Message {
  role: string;
  content?: string;
}

describe.skipIf(!codexPath)(`Codex${missing}`, () => {
  let errand: Errand;
  let desk: CodexDesk;
  beforeAll(async () => {
    errand = await startErrand();
    desk = await openCodexDesk(errand);
  });
  afterAll(async () => {
    await desk.close();
    await errand.stop();
  });
  const messagesOf = (number: number) => errand.upstream.requests[number]?.body.messages as Message[];

  test('edits a file by the calls of a chat model, and says its last words', async () => {
    const file = path.join(desk.folder, 'greeting.txt');
    await writeFile(file, 'Good morning\n');
    errand.upstream.script(
      calls('exec_command', { cmd: 'cat greeting.txt' }),
      calls('exec_command', { cmd: patch }),
      says('It is evening now.'),
    );
    const { code, answer } = await desk.run('Greet in the evening.');
    expect([code, answer]).toEqual([0, 'It is evening now.']);
    expect(await readFile(file, 'utf8')).toBe('Good evening\n');
    expect(messagesOf(1).at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('Good morning'),
    });
  });

  test('sends a model its earlier reasoning beside its texts and calls', async () => {
    const call = {
      id: 'call_a',
      type: 'function',
      function: { name: 'exec_command', arguments: '{"cmd":"ls"}' },
    };
    const deltas = [
      { reasoning_content: 'Hm.' },
      { content: 'Wait.' },
      { tool_calls: [{ index: 0, ...call }] },
    ];
    const chunks = [...deltas.map((delta) => chunk(delta)), chunk({}, 'tool_calls'), usageChunk];
    errand.upstream.script(streams(...chunks.map(event), done), says('Nothing.'));
    expect(await desk.run('What is here?')).toMatchObject({ code: 0, answer: 'Nothing.' });
    expect(messagesOf(1).at(-2)).toEqual({
      ...{ role: 'assistant', content: 'Wait.', reasoning_content: 'Hm.' },
      tool_calls: [call],
    });
  });

  test('receives the calls of its namespaced tools under their names', async () => {
    errand.upstream.script(
      calls('multi_agent_v1__close_agent', { target: 'nobody' }),
      says('There was no agent.'),
    );
    expect(await desk.run('Close the agent.')).toMatchObject({ code: 0, answer: 'There was no agent.' });
    expect(messagesOf(1).at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('nobody') });
  });

  test('uses the tools of the MCP server, by the settings that docs/mcp.md shows', async () => {
    await errand.service.post('/v1/skills', { name: 'tone', instructions: 'Write short sentences.' });
    const page = await readFile(path.resolve(import.meta.dirname, '../../docs/mcp.md'), 'utf8');
    const shown = /```toml\n(.*?)```/s.exec(page)?.[1]?.replace('http://127.0.0.1:8787', errand.url);
    errand.upstream.script(calls('mcp__errand__get_skill', { name: 'tone' }), says('Short.'));
    const edit = (configuration: string) => `${configuration}\n${shown}`;
    expect(await desk.run('What is the tone?', { edit })).toMatchObject({ code: 0, answer: 'Short.' });
    expect(messagesOf(1).at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('Write short sentences.'),
    });
  });

  test('gets the name of a tool that the service does not have', async () => {
    const edit = (configuration: string) => configuration.replace('web_search = "disabled"\n', '');
    const { code, log } = await desk.run('Look it up.', { edit });
    expect(code).not.toBe(0);
    expect(log).toContain('web_search');
  });

  test('shows that its key is not known', async () => {
    const { code, log } = await desk.run('Say hello.', { key: 'wrong' });
    expect(code).not.toBe(0);
    expect(log).toContain('401');
  });
});
