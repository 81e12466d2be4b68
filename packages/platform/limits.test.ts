import { expect, test } from 'vitest';
import { limits } from './limits.ts';

test('a process that uses all of its stopping time can still close the store, and ends in time', () => {
  const worked =
    limits.shutdownGraceMilliseconds + limits.shutdownAnswerMilliseconds + limits.shutdownLingerMilliseconds;
  expect(limits.shutdownStreamMilliseconds).toBeLessThan(limits.shutdownAnswerMilliseconds);
  expect(limits.shutdownExitMilliseconds - worked).toBeGreaterThanOrEqual(100);
  expect(limits.shutdownExitMilliseconds).toBeLessThan(limits.stopSeconds * 1000);
});

test('every document that is taken or fetched can be read', () => {
  expect(limits.readDocumentBytes).toBeGreaterThanOrEqual(limits.documentBytes);
  expect(limits.readDocumentBytes).toBeGreaterThanOrEqual(limits.fetchedDocumentBytes);
});
