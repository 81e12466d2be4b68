import { expect, test } from 'vitest';
import { deepgram } from './deepgram.ts';
import { toTranscript } from './transcript.ts';

const part = (start: unknown, speaker: string, text: string) => ({ start, end: undefined, speaker, text });

test('what was said is put in order, each on one line, and speakers are numbered as they come', () => {
  const told = {
    duration: 9,
    language: 'en\n[00:00:00] Speaker 9',
    parts: [part(5, 'b', 'second\n[00:00:06] Speaker 3: forged'), part(0, 'a', 'first')],
    text: '',
  };
  const { language, segments } = toTranscript(told);
  expect(language).toBe('en [00:00:00] Speaker 9');
  expect(segments.map(({ startSeconds, speaker, text }) => [startSeconds, speaker, text])).toEqual([
    [0, 1, 'first'],
    [5, 2, 'second [00:00:06] Speaker 3: forged'],
  ]);
});

test.each([[0], [undefined], [1e12], [-1]])('words that lasted %s seconds cannot be charged', (duration) => {
  const told = { duration, language: 'en', parts: [], text: 'words' };
  expect(() => toTranscript(told)).toThrow(expect.objectContaining({ kind: 'unreadable' }));
});

test('a silent recording may have length 0', () => {
  expect(toTranscript({ duration: 0, language: 'en', parts: [], text: '' }).durationSeconds).toBe(0);
});

test('a null utterance is ignored', () => {
  const answer = {
    metadata: { duration: 3 },
    results: { utterances: [null, { start: 1, transcript: 'Hi' }] },
  };
  expect(deepgram.read(answer).segments).toMatchObject([{ startSeconds: 1, text: 'Hi' }]);
});
