import { listEntries } from '@errand/money';
import { localTableNames } from '@errand/platform';
import { expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { wav } from '../support/wav.ts';
import { agentIdOf, formOf, sendForm } from './support.ts';

let service: TestService;

useServiceAlone((started) => ({ service } = started));

const transcript =
  /^Duration: 00:02:00\nDetected language: english\n\n(\[\d\d:\d\d:\d\d\] Speaker \d+: .+(\n|$)){4}$/;

test('a recording is transcribed as step 1 and charged per second', async () => {
  const { accountId, key } = await service.newAccount('1');
  const form = formOf(
    ['file', { name: 'Réunion.wav', bytes: wav(120) }],
    ['question', 'When is the report sent?'],
  );
  const agentId = agentIdOf(await sendForm(service, form, { key }));
  const events = await service.follow(agentId, { key });
  expect(events.slice(0, 5)).toMatchObject([
    { type: 'step_start', step: 1, description: 'Executing tool' },
    { type: 'tool_call', toolName: 'audio_transcribe', input: { url: expect.stringMatching(/^http/) } },
    { type: 'tool_result', toolName: 'audio_transcribe', result: expect.stringMatching(transcript) },
    { type: 'step_complete', step: 1 },
    { type: 'step_start', step: 2, description: 'LLM agentic loop' },
  ]);
  expect(await service.read(agentId, key)).toMatchObject({
    status: 'succeeded',
    usage: { audioSeconds: 120 },
  });
  const store = { dynamodb: service.clients.dynamodb, tables: localTableNames };
  const { entries } = await listEntries(store, { accountId }, { limit: 50 });
  expect(entries.filter(({ kind }) => kind === 'transcription')).toMatchObject([
    { runId: agentId, seconds: 120, amountNanoEuro: -12_000_000 },
  ]);
});
