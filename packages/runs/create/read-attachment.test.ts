import { DocumentError } from '@errand/documents';
import { createLog, type DomainError, type Principal, ThreadError } from '@errand/platform';
import { expect, test } from 'vitest';
import { explainUnread, refuseLate } from './read-attachment.ts';

const asker = { principal: { accountId: 'account' } as Principal, requestId: 'request' };

function deps() {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: createLog((line) => void lines.push(JSON.parse(line))) };
}

test.each([
  ['timeout', 'The material could not be searched within 30 seconds.'],
  ['memory', 'The material needs more memory than a search may use.'],
  ['crash', 'The search of the material broke off.'],
] as const)(
  'a search that ended without an answer (%s) is a refusal that keeps the upload, and is logged',
  (code, reason) => {
    const { lines, log } = deps();
    const refusal = explainUnread({ log }, asker, new ThreadError(code)) as DomainError;
    expect(refusal).toMatchObject({ code: 'upload_unreadable', details: { reason, temporary: true } });
    expect(lines).toEqual([
      expect.objectContaining({
        message: 'upload not read',
        accountId: 'account',
        requestId: 'request',
        code,
      }),
    ]);
  },
);

test('a conversion that ended without an answer keeps its own words, and the log has the reason', () => {
  const { lines, log } = deps();
  const failure = new DocumentError('too_large', 'It is too large.', { cause: new ThreadError('memory') });
  expect(explainUnread({ log }, asker, failure)).toMatchObject({ details: { reason: 'It is too large.' } });
  expect(lines).toEqual([expect.objectContaining({ error: 'ThreadError', code: 'memory' })]);
});

test('a document that is refused for its content leaves no line in the log', () => {
  const { lines, log } = deps();
  const failure = new DocumentError('encrypted', 'It is encrypted.');
  expect(explainUnread({ log }, asker, failure)).toMatchObject({ code: 'upload_unreadable' });
  expect(lines).toEqual([]);
});

test.each([
  [{ waited: 30_000, worked: 25_000 }, 'queue_unavailable'],
  [{ waited: 25_000, worked: 30_000 }, 'upload_unreadable'],
] as const)(
  'a file is late because of others if it waited longer than it was worked on: %o',
  (spent, code) => {
    expect(refuseLate(deps(), asker, spent, 55_000).code).toBe(code);
  },
);
