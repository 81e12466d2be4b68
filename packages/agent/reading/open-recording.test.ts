import { silentLog } from '@errand/platform';
import { expect, test, vi } from 'vitest';
import { openRecording } from './open-recording.ts';

const cost = { kind: 'transcription' as const, model: 'ears', seconds: 6, amountNanoEuro: 600 };
const transcript = 'Speaker 0: The ferry leaves at six.\n'.repeat(100);
const log = { ...silentLog, warn: vi.fn() };
const open = openRecording({
  log,
  transcribe: async () => ({ text: transcript, costs: [cost] }),
  owner: undefined,
});
const room = { wholeCharacters: 1_000, shownCharacters: 1_000 };
/** Nothing of this can be sent to a thread. */
const unreadable = { ...room, query: (() => {}) as never };

test('a transcript that no thread can search is charged, and its beginning is shown', async () => {
  const { shown, costs } = await open('https://x/a', unreadable, new AbortController().signal);
  expect(costs).toEqual([cost]);
  expect(shown.text).toContain(transcript.slice(0, 1_000));
  expect(shown.text).toContain(`${transcript.length - 1_000} characters follow`);
  expect(log.warn).toHaveBeenCalledOnce();
});

test('opening a recording for a stopped run throws the reason of the stop', async () => {
  await expect(open('https://x/a', unreadable, AbortSignal.abort(new Error('stopped')))).rejects.toThrow(
    'stopped',
  );
});
