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
  const line = write('charged', { kind: 'decision', inputTokens: 7, amountNanoEuro: 700 });
  expect(line).toMatchObject({ message: 'charged', kind: 'decision', inputTokens: 7 });
  const { CloudWatchMetrics, Timestamp } = line._aws as { CloudWatchMetrics: unknown[]; Timestamp: number };
  expect(Timestamp).toBe(Date.parse(line.time as string));
  expect(CloudWatchMetrics).toEqual([
    {
      Namespace: 'Errand/somebody',
      Dimensions: [['scope']],
      Metrics: [
        { Name: 'inputTokens', Unit: 'Count' },
        { Name: 'amountNanoEuro', Unit: 'None' },
      ],
    },
  ]);
});

test('lines are counted themselves, by the values of a field', () => {
  const line = write('run worked on', { outcome: 'failed' });
  expect(line).toMatchObject({ outcome: 'failed', runs: 1 });
  expect(line._aws).toMatchObject({
    CloudWatchMetrics: [{ Dimensions: [['outcome']], Metrics: [{ Name: 'runs', Unit: 'Count' }] }],
  });
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
  const line = write('request', { area: 'chat', failed: 0, milliseconds: 12 });
  expect(line).toMatchObject({ area: 'chat', scope: 'stage' });
  expect(line._aws).toMatchObject({
    CloudWatchMetrics: [
      {
        Dimensions: [['area']],
        Metrics: [{ Name: 'failed' }, { Name: 'milliseconds' }],
      },
      { Dimensions: [['scope']], Metrics: [{ Name: 'failed' }] },
    ],
  });
});

test('a counted line has no character that a terminal would obey, as the line itself', () => {
  const written: string[] = [];
  const error = 'a\u009b2Jb\u202ec';
  createLog((line) => written.push(withMetrics(line, 'N'))).info('webhook sent', { error });
  expect(written[0]).not.toMatch(/[\p{Cc}\u2028-\u202e]/u);
  expect(JSON.parse(written[0]!)).toMatchObject({ _aws: {}, error });
});

test('a refusal that a text of a caller may cause is counted apart from one of our set-up', () => {
  const counts = (status: number, code?: string) => {
    const line = write('upstream does not accept our set-up', { model: 'writer', status, code });
    return [line.notAccepted, line.notTaken];
  };
  for (const [status, code] of [
    [401],
    [402],
    [302],
    [400],
    [404, 'model_not_found'],
    [403, 'invalid_api_key'],
  ] as const)
    expect(counts(status, code)).toEqual([1, undefined]);
  for (const [status, code] of [[403], [404], [403, 'other'], [403, 'content_filter']] as const)
    expect(counts(status, code)).toEqual([undefined, 1]);
});
