import { describe, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;

useService((started) => ({ provider, service } = started));

const shapes = (events: { type: string }[]) => events.map(({ type }) => type);

describe('a plain answer', () => {
  test('goes through the loop and the check, and is emitted twice', async () => {
    provider.script(
      inTurn({ text: 'Forty-two.' }, { calls: [{ name: 'confirm_answer', args: { answer: 'Forty-two!' } }] }),
    );
    const agentId = await service.start({ question: 'What is it?' });
    const events = await service.follow(agentId);
    expect(events).toEqual([
      { id: 1, type: 'step_start', step: 1, description: 'LLM agentic loop' },
      { id: 2, type: 'text', text: 'Forty-two.' },
      { id: 3, type: 'step_complete', step: 1 },
      {
        id: 4,
        type: 'step_start',
        step: 2,
        description: 'Confirming the answer is complete before stopping',
      },
      { id: 5, type: 'text', text: 'Forty-two!' },
      { id: 6, type: 'step_complete', step: 2 },
      { id: 7, type: 'done', finalText: 'Forty-two!' },
    ]);
    expect(await service.read(agentId)).toMatchObject({
      agentId,
      status: 'succeeded',
      result: 'Forty-two!',
      usage: { inputTokens: 200, outputTokens: 20, audioSeconds: 0, credits: '0.00024' },
    });
  });

  test('may have half a surrogate pair, which is replaced wherever the answer is kept', async () => {
    const half = '\ud800';
    provider.script(
      inTurn(
        { calls: [{ name: 'save_data', args: { name: `n${half}`, value: `v${half}` } }] },
        { calls: [{ name: 'read_data', args: { name: `n${half}` } }] },
        { text: `half ${half}` },
      ),
    );
    const agentId = await service.start({ question: 'Halves' });
    const events = await service.follow(agentId);
    expect(events.filter(({ type }) => type === 'tool_result').at(-1)).toMatchObject({ result: 'v\ufffd' });
    expect(await service.read(agentId)).toMatchObject({ status: 'succeeded', result: 'half \ufffd' });
  });

  test('replays exactly the rest from each event id', async () => {
    provider.script(inTurn({ text: 'one' }));
    const agentId = await service.start({ question: 'Replay?' });
    const all = await service.follow(agentId);
    for (const { id } of all.slice(0, -1)) {
      expect(await service.follow(agentId, { after: id })).toEqual(all.slice(id));
    }
    const seen = await service.request(`/v1/agents/runs/${agentId}/stream`, {
      headers: { 'Last-Event-ID': String(all.length) },
    });
    expect(seen.status).toBe(204);
  });
});

describe('tool calls', () => {
  test('of one turn all run and are answered in order', async () => {
    provider.script(
      inTurn(
        {
          text: 'Let me note that.',
          calls: [
            { name: 'save_data', args: { name: 'colour', value: 'green' } },
            { name: 'write_todos', args: { todos: [{ content: 'think', status: 'pending' }] } },
          ],
        },
        { text: 'Done.' },
      ),
    );
    const events = await service.follow(await service.start({ question: 'Two things' }));
    expect(shapes(events)).toEqual([
      'step_start',
      'text',
      'tool_call',
      'tool_call',
      'tool_result',
      'tool_result',
      'text',
      'step_complete',
      'step_start',
      'text',
      'step_complete',
      'done',
    ]);
    expect(events.slice(2, 6)).toMatchObject([
      { toolName: 'save_data', input: '{"name":"colour","value":"green"}' },
      { toolName: 'write_todos' },
      { toolName: 'save_data', result: expect.stringContaining('colour') },
      { toolName: 'write_todos', result: expect.stringContaining('think') },
    ]);
  });
});
