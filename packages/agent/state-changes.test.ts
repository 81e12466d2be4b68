import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween, withStateChanges } from './state-changes.ts';

const fromJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.array(fc.record({ role: fc.constantFrom('user', 'tool'), content: fc.string() }), { maxLength: 5 }),
  fc.constant(undefined),
);
const state = fc.dictionary(fc.constantFrom('messages', 'sources', 'step', 'calls', 'waiting'), value, {
  noNullPrototype: true,
});

/** A later state that shares most of its objects with the earlier one, as those of a run do. */
const pair = fc.tuple(state, state, fc.array(value, { maxLength: 3 })).map(([before, changed, added]) => {
  const extended = Object.entries(before).map(([name, was]) => [
    name,
    Array.isArray(was) ? [...was, ...added.map((each) => each ?? null)] : was,
  ]);
  return [before, { ...Object.fromEntries(extended), ...changed }] as const;
});

test('what has changed between two states leads from the earlier to the later one, whatever they have', () => {
  fc.assert(
    fc.property(fc.oneof(pair, fc.tuple(state, state)), fc.boolean(), ([before, after], isRead) => {
      const changes = fromJson(changesBetween(isRead ? fromJson(before) : before, after));
      expect(withStateChanges(fromJson(before), changes)).toEqual(fromJson(after));
    }),
  );
});

test('what is the same in both states is not told again, whether it was read from the store or not', () => {
  const message = (content: string) => ({ role: 'user', content });
  const before = { step: 1, messages: [message('a'), message('b')], fetched: { bytes: 1 }, waiting: 1 };
  const after = { ...before, step: 2, messages: [...before.messages, message('c')], waiting: undefined };
  const changes = {
    set: { step: 2 },
    removed: ['waiting'],
    lists: { messages: { kept: 2, added: [message('c')] } },
  };
  expect(changesBetween(before, after)).toEqual(changes);
  expect(changesBetween(fromJson(before), after)).toEqual(changes);
  expect(changesBetween(before, { ...before })).toEqual({});
});

test('changes of another state are refused', () => {
  const changes = { lists: { messages: { kept: 2, added: [] } } };
  expect(() => withStateChanges({ messages: ['a'] }, changes)).toThrow('another state');
  expect(() => withStateChanges({}, changes)).toThrow('another state');
});

test('the changes of a long conversation take no time that grows with it: what is the same object is not written as JSON', () => {
  const unreadable = { toJSON: () => expect.fail('written as JSON') };
  const messages = Array.from({ length: 1_000 }, () => unreadable);
  const changes = changesBetween({ messages }, { messages: [...messages, 'new'] });
  expect(changes).toEqual({ lists: { messages: { kept: 1_000, added: ['new'] } } });
});
