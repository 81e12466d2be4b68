import { DomainError, validate } from '@errand/platform';
import { expect, test } from 'vitest';
import { chatRequest } from './schema.ts';

function issuesOf(body: unknown): unknown {
  try {
    validate(chatRequest, body);
    return [];
  } catch (error) {
    return error instanceof DomainError ? error.details : error;
  }
}

test.each([
  [{ messages: [{ role: 'user' }] }, 'model', 'is required'],
  [{ model: 'm' }, 'messages', 'is required'],
  [{ model: 'm', messages: [] }, 'messages', 'must have at least one message'],
  [{ model: 'm', messages: [{}] }, 'messages[0].role', 'is required'],
  [{ model: 'm', messages: ['hi'] }, 'messages[0]', 'must be an object with a role'],
  [{ model: 7, messages: [{ role: 'user' }] }, 'model', 'must be a string'],
])('a request is told which field is wrong and how: %j', (body, field, problem) => {
  expect(issuesOf(body)).toEqual({ issues: [{ field, problem }] });
});
