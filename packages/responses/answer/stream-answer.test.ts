import { serverError } from '@errand/platform';
import { expect, test } from 'vitest';
import { refusedStream } from './stream-answer.ts';

test('a stream of which nothing was written ends with a failed response that is not kept', () => {
  const frame = {
    key: '0'.repeat(32),
    createdAtMilliseconds: 0,
    request: { model: 'writer', input: 'Hello' },
  };
  const last = refusedStream(frame, serverError('No.', 'at_capacity')).trim().split('\ndata: ').at(-1) ?? '';
  expect(JSON.parse(last)).toMatchObject({
    type: 'response.failed',
    response: { store: false, status: 'failed', error: { code: 'at_capacity' } },
  });
});
