import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTape } from './tape.ts';

const request = (content: string, ...more: object[]) =>
  JSON.stringify({
    messages: [{ role: 'system', content }, { role: 'user', content: 'How long is it?' }, ...more],
  });

test('answers that were recorded come back in their order, with the addresses of the run that replays them', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-eval-'));
  const file = path.join(folder, 'answers.json');
  const recording = (await openTape({ record: file }, { 'http://site.invalid': 'http://127.0.0.1:1' }))!;
  recording.keep(request('Today is 2026-01-01.'), { status: 200, body: 'Read http://127.0.0.1:1/a' });
  recording.keep(request('Today is 2026-01-01.', { role: 'tool' }), { status: 200, body: '503 m' });
  await recording.save();
  const replaying = (await openTape({ replay: file }, { 'http://site.invalid': 'http://127.0.0.1:2' }))!;
  expect(replaying.take(request('Today is 2026-02-02.'))?.body).toBe('Read http://127.0.0.1:2/a');
  expect(replaying.changed()).toBe(0);
  expect(replaying.take(request('Be brief.', { role: 'tool' }))?.body).toBe('503 m');
  expect(replaying.changed()).toBe(1);
  expect(() => replaying.take(request(''))).toThrow('no answer');
  await rm(folder, { recursive: true });
});
