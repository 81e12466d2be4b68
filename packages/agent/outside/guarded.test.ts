import { describe, expect, test } from 'vitest';
import type { AgentInput } from '../conversation.ts';
import { initialState } from '../state.ts';
import { guardedForNext, guardedForSubRuns } from './guarded.ts';

const input: AgentInput = { question: 'What is new?' };
const knowing = {
  ...initialState,
  completions: 2,
  outsideSince: 1,
  knownValues: ['iban', 'pin'],
  savedOutside: ['pin'],
};

describe('a sub-run', () => {
  test('knows the saved values that its run knows, has read from outside as its model had, and acts on the word of its caller', () => {
    const { input: asked, state } = guardedForSubRuns(input, knowing);
    expect(asked).toEqual({ isSubRun: true, callersQuestion: 'What is new?' });
    expect(state).toEqual({ outsideSince: 0, knownValues: ['iban', 'pin'], savedOutside: [] });
    expect(guardedForSubRuns(input, { ...knowing, outsideSince: 2 }).state.outsideSince).toBeUndefined();
  });

  test('has a private question if its run has a file of the caller, or goes on from one that had', () => {
    const attachment = { kind: 'recording' as const, filename: 'a.mp3', url: 'https://files.test/a.mp3' };
    expect(guardedForSubRuns({ ...input, attachment }, knowing).input.hasPrivateQuestion).toBe(true);
    const read = { ...knowing, readings: ['The merger.'] };
    expect(guardedForSubRuns(input, read).input.hasPrivateQuestion).toBe(true);
  });
});

test('a run that goes on with the question of a sub-run acts on the word of the caller, and knows what the sub-run knew', () => {
  const ofSubRun: AgentInput = {
    question: 'Who has the iban?',
    callersQuestion: 'What is new?',
    isSubRun: true,
  };
  const { input: asked, state } = guardedForNext(ofSubRun, knowing);
  expect(asked).toEqual({ callersQuestion: 'What is new?' });
  expect(state).toEqual({ outsideSince: -1, knownValues: ['iban', 'pin'], savedOutside: ['pin'] });
});
