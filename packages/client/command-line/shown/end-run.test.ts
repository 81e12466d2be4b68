import { expect, test } from 'vitest';
import type { Run, RunHandle } from '../../runs/run-handle.ts';
import type { Session } from '../session/session.ts';
import { showEnd } from './end-run.ts';

/** What is noted of a run that has ended. */
async function notesOf(more: Partial<Run>): Promise<string> {
  const usage = { credits: '0', inputTokens: 0, outputTokens: 0 };
  const run = { agentId: 'agent_1', status: 'succeeded', usage, ...more } as Run;
  const noted: string[] = [];
  const note = (...parts: (string | { text: string })[]) =>
    noted.push(...parts.map((part) => (typeof part === 'string' ? part : part.text)));
  const session = { json: false, terminal: { note, width: 80 } } as unknown as Session;
  await showEnd(session, { wait: async () => run } as unknown as RunHandle, new AbortController().signal);
  return noted.join('');
}

test('facts that their sources do not bear out are named by their places, with nothing that a terminal obeys', async () => {
  const noted = await notesOf({ unsupported: ['/rows/0/price', '/a\u001b[2J\n'] });
  expect(noted).toContain('Not borne out by their sources: /rows/0/price /a\\u001b[2J\\n\n');
  expect(await notesOf({ unsupported: [] })).not.toContain('borne out');
});

test('a run in which nothing fitted the schema says how to go on, and any other why it stopped', async () => {
  const noted = await notesOf({ status: 'failed', error: '/a: is missing', stopReason: 'schema' });
  expect(noted).toContain('/a: is missing\nNothing that the model wrote fits the schema.');
  expect(noted).toContain('errand ask --follow agent_1\n');
  expect(await notesOf({ stopReason: 'rounds' })).toContain('The run had to stop early: rounds.\n');
});
