import { expect, test } from 'vitest';
import { exactArguments, readReplies } from './replies.ts';

const call = (id: string, type: 'function' | 'approval') => ({
  ...{ id, type, name: 'mail__send', arguments: '{}', digest: `digest-${id}` },
});

test('replies name each call that was asked about, with the digest of what was shown', () => {
  const calls = [call('a', 'approval'), call('b', 'approval'), call('c', 'function'), call('d', 'function')];
  const follows = { agentId: 'agent_1', calls, asks: true, takesWords: false, canGoOn: true };
  const replies = {
    a: { approve: true, text: 'typed before' },
    b: { approve: false, text: ' Not now. ' },
    c: { text: '3' },
    d: { text: 'none', failed: true },
  };
  expect(readReplies(follows, replies)).toEqual({
    previousRunId: 'agent_1',
    approvals: [
      { callId: 'a', approve: true, digest: 'digest-a' },
      { callId: 'b', approve: false, digest: 'digest-b', reason: 'Not now.' },
    ],
    functionResults: [
      { callId: 'c', result: '3' },
      { callId: 'd', error: 'none' },
    ],
  });
});

test('a call that was not answered is refused', () => {
  const follows = {
    agentId: 'agent_1',
    calls: [call('a', 'approval')],
    asks: true,
    takesWords: false,
    canGoOn: true,
  };
  expect(readReplies(follows, {}).approvals).toMatchObject([{ callId: 'a', approve: false }]);
});

test.each([
  ['laid out', '{"to":"a"}', '{\n  "to": "a"\n}'],
  ['as they are where a name stands twice', '{"to":"a","to":"b"}', '{"to":"a","to":"b"}'],
  ['as they are where a number would be rounded', '{"n":12345678901234567890}', '{"n":12345678901234567890}'],
  ['as they are where they are no JSON', '{"to', '{"to'],
  ['with what cannot be seen', '{"to":"a\u202eb\u200b"}', '{\n  "to": "a\\u{202e}b\\u{200b}"\n}'],
  ['with what hides in other signs', '{"to":"a\u{e0148}b\u3164"}', '{\n  "to": "a\\u{e0148}b\\u{3164}"\n}'],
])('arguments are shown %s', (_, json, shown) => {
  expect(exactArguments(json)).toBe(shown);
});
