import { expect, test } from 'vitest';
import { contextOfWork, readTraceparent, writeTraceparent } from './trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test('a traceparent is taken as W3C Trace Context has it: a later version may have more fields', () => {
  for (const header of [
    `00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-00`,
    `cc-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-01-what-the-future-will-be-like`,
  ])
    expect(readTraceparent(header)).toEqual({ traceId, spanId });
  expect(writeTraceparent({ traceId, spanId })).toBe(`00-${traceId}-${spanId}-01`);
});

test.each([
  undefined,
  '',
  'traceparent',
  `ff-${traceId}-${spanId}-01`,
  `0-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-1`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  ` 00-${traceId}-${spanId}-01`,
  `cc-${traceId}-${spanId}-01.what`,
])('a traceparent that is invalid counts as none: %s', (header) => {
  expect(readTraceparent(header)).toBeUndefined();
});

test('the ids of work are the same whenever they are made, and the trace is that of the parent', () => {
  const parent = { traceId, spanId };
  expect(contextOfWork('run-1', undefined)).toEqual(contextOfWork('run-1', undefined));
  expect(contextOfWork('run-1', undefined)).not.toEqual(contextOfWork('run-2', undefined));
  expect(contextOfWork('run-1', parent)).toEqual({ ...contextOfWork('run-1', undefined), traceId });
});
