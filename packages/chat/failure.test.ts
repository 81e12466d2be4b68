import { DomainError } from '@errand/platform';
import { expect, test } from 'vitest';
import { lateRefusal } from './failure.ts';

test('a stream that has begun tells a model that is not set up from one that is at capacity', () => {
  expect(lateRefusal(new DomainError('upstream_misconfigured')).error).toMatchObject({
    type: 'server_error',
    code: 'not_set_up',
    message: expect.stringContaining('is not set up'),
  });
  expect(lateRefusal(new DomainError('at_capacity')).error).toMatchObject({ code: 'at_capacity' });
});
