import { createLog, type LogFields } from '@errand/platform';
import { expect, test } from 'vitest';
import { withMetrics } from './metrics.ts';

function write(message: string, fields: LogFields): Record<string, unknown> {
  let line = '';
  createLog((text) => {
    line = withMetrics(text, 'Errand/somebody');
  }).info(message, fields);
  return JSON.parse(line);
}

test('a line that is counted names its numbers as metrics, and keeps all that it said', () => {
  const line = write('charged', { kind: 'decision', charges: 1, inputTokens: 7, amountNanoEuro: 700 });
  expect(line).toMatchObject({ message: 'charged', kind: 'decision', inputTokens: 7 });
  const { CloudWatchMetrics, Timestamp } = line._aws as { CloudWatchMetrics: unknown[]; Timestamp: number };
  expect(Timestamp).toBe(Date.parse(line.time as string));
  expect(CloudWatchMetrics).toEqual([
    {
      Namespace: 'Errand/somebody',
      Dimensions: [['kind']],
      Metrics: [
        { Name: 'charges', Unit: 'Count' },
        { Name: 'inputTokens', Unit: 'Count' },
        { Name: 'amountNanoEuro', Unit: 'None' },
      ],
    },
  ]);
});

test('the label mass of every question is a value of one metric', () => {
  const line = write('decision labels read', { model: 'judge', labelMass: [0.9, 0.95] });
  expect(line.labelMass).toEqual([0.9, 0.95]);
  expect(line._aws).toMatchObject({
    CloudWatchMetrics: [{ Dimensions: [['model']], Metrics: [{ Name: 'labelMass', Unit: 'None' }] }],
  });
});

test('other lines stay as they are', () => {
  expect(write('run claimed', { deaths: 0 })).not.toHaveProperty('_aws');
});

test('requests are counted by area and, for an alarm that must never add up too many areas, in all', () => {
  const line = write('request', { area: 'chat', requests: 1, failed: 0, milliseconds: 12 });
  expect(line).toMatchObject({ area: 'chat', scope: 'stage' });
  expect(line._aws).toMatchObject({
    CloudWatchMetrics: [
      {
        Dimensions: [['area']],
        Metrics: [{ Name: 'requests' }, { Name: 'failed' }, { Name: 'milliseconds' }],
      },
      { Dimensions: [['scope']], Metrics: [{ Name: 'requests' }, { Name: 'failed' }] },
    ],
  });
});

test('a counted line has no character that a terminal would obey, as the line itself', () => {
  const written: string[] = [];
  const error = 'a\u009b2Jb\u202ec';
  createLog((line) => written.push(withMetrics(line, 'N'))).info('webhook sent', { webhooks: 1, error });
  expect(written[0]).not.toMatch(/[\p{Cc}\u2028-\u202e]/u);
  expect(JSON.parse(written[0]!)).toMatchObject({ _aws: {}, error });
});
