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

test('a call of a tool that begins before an invocation hands its run on has its whole time', () => {
  const left = limits.invocationHandOverMilliseconds - limits.invocationAbandonMilliseconds;
  expect(left - limits.toolMilliseconds).toBeGreaterThanOrEqual(30_000);
});
