import type { LedgerEntry } from '@errand/money';
import { expect, test } from 'vitest';
import type { RunRecord } from '../run.ts';
import { spansOfRun, type TracedEvent } from './spans-of-run.ts';

const at = (second: number) => `2026-11-27T10:00:${String(second).padStart(2, '0')}.000Z`;
const time = (second: number) => Date.parse(at(second));

const agentId = '0b7e7a3c-5f0f-4c68-9f0e-3a3f4f1d2c4b';

const run = {
  agentId,
  keyId: 'key-1',
  payer: { accountId: 'account-1' },
  requestId: 'request-1',
  status: 'failed',
  error: 'Cancelled',
  createdAt: at(0),
  updatedAt: at(9),
  lastEventId: 8,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  model: 'writer',
  question: 'What is it?',
  inputTokens: 300,
  cachedInputTokens: 100,
  outputTokens: 30,
  amountNanoEuro: 360_000,
} as unknown as RunRecord;

const event = (id: number, name: TracedEvent['name'], second: number, more = {}): TracedEvent => ({
  id,
  name,
  at: at(second),
  ...more,
});

const events = [
  event(1, 'step_start', 1),
  event(2, 'tool_call', 4, { toolName: 'web_search' }),
  event(3, 'tool_call', 4, { toolName: 'vision' }),
  event(4, 'tool_call', 4, { toolName: 'save_data' }),
  event(5, 'tool_result', 6, { toolName: 'web_search', isFailed: true }),
  // Its payload is in the bucket, and was not read.
  event(6, 'tool_result', 7),
  event(7, 'error', 9),
];

const charge = (id: string, second: number, more: Partial<LedgerEntry>): LedgerEntry => ({
  id: `${agentId}:${id}`,
  kind: 'completion',
  at: at(second),
  accountId: 'account-1',
  keyId: 'key-1',
  requestId: 'request-1',
  runId: agentId,
  step: 1,
  model: 'writer',
  upstream: 'api.openai.com/gpt-7',
  inputTokens: 100,
  outputTokens: 10,
  amountNanoEuro: -120_000,
  ...more,
});

const charges = [
  charge('completion-1', 3, { finishReason: 'tool_calls', energy: 12.5, emissions: 3 }),
  charge('tool-1-1-0', 7, { kind: 'vision', model: 'eyes', upstream: '127.0.0.1:8080/some/eyes' }),
  charge('broken-off-1-0', 9, { brokenOff: true, writtenOffNanoEuro: 5 }),
];

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const rootId = 'b156c5e4a6bff45a';

const about = {
  'errand.account.id': 'account-1',
  'errand.key.id': 'key-1',
  'errand.request.id': 'request-1',
  'errand.run.id': agentId,
};

const completion = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'writer',
  'gen_ai.response.model': 'gpt-7',
  'gen_ai.usage.input_tokens': 100,
  'gen_ai.usage.output_tokens': 10,
  'server.address': 'api.openai.com',
  'server.port': 443,
  'errand.cost_nano_euro': 120_000,
  'errand.step': 1,
  ...about,
};

const tool = (name: string) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'errand.run.id': agentId,
});

const span = (
  name: string,
  spanId: string,
  [start, end]: [number, number],
  attributes: object,
  errorType?: string,
) => ({
  traceId,
  spanId,
  parentSpanId: rootId,
  name,
  kind: name.startsWith('chat') ? 'client' : 'internal',
  startMilliseconds: time(start),
  endMilliseconds: time(end),
  attributes,
  errorType,
});

test('the spans of a run are made of its events and its charges alone', () => {
  const root = span(
    'invoke_agent errand',
    rootId,
    [0, 9],
    {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'errand',
      'gen_ai.agent.name': 'errand',
      'gen_ai.request.model': 'writer',
      'errand.run.input_tokens': 300,
      'errand.run.cached_input_tokens': 100,
      'errand.run.output_tokens': 30,
      'errand.run.cost_nano_euro': 360_000,
      'errand.run.status': 'failed',
      ...about,
    },
    'cancelled',
  );
  expect(spansOfRun(run, events, charges, false)).toEqual([
    { ...root, parentSpanId: '00f067aa0ba902b7' },
    span('execute_tool web_search', '446ae9df07d995d2', [4, 6], tool('web_search'), 'tool_error'),
    span('execute_tool vision', 'b0b845d1d25c75fa', [4, 7], tool('vision')),
    span('execute_tool save_data', '1f7cf0c0044dc808', [4, 9], tool('save_data'), 'cancelled'),
    span('chat writer', '755a98e50f7f4bae', [1, 3], {
      ...completion,
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'errand.energy_wms': 12.5,
      'errand.emissions_ug': 3,
      'errand.charge.id': `${agentId}:completion-1`,
    }),
    span('chat eyes', 'e5581ee321cb6ef1', [6, 7], {
      ...completion,
      'gen_ai.provider.name': '127.0.0.1',
      'gen_ai.request.model': 'eyes',
      'gen_ai.response.model': 'some/eyes',
      'server.address': '127.0.0.1',
      'server.port': 8080,
      'errand.charge.id': `${agentId}:tool-1-1-0`,
    }),
    span(
      'chat writer',
      'c767c384b98fcf62',
      [7, 9],
      {
        ...completion,
        'errand.written_off_nano_euro': 5,
        'errand.charge.id': `${agentId}:broken-off-1-0`,
      },
      'broken_off',
    ),
  ]);
});
