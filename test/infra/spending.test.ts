import { beforeAll, describe, expect, test } from 'vitest';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack } from '../support/sst/stack.ts';

const alarmEmail = 'ops@example.com';

describe.skipIf(!canEvaluate)('a stage whose bill is bounded', () => {
  let stack: Stack;
  beforeAll(async () => {
    const bounds = { monthlyDollars: 200, waf: { requestsIn5Minutes: 2_000 }, probe: false };
    stack = await evaluate('production', { changes: { alarmEmail, ...bounds } });
  }, evaluationMilliseconds);

  test('has mails sent when half, four fifths and all of the sum are spent by what has its tag', () => {
    expect(stack.one('aws:budgets/budget:Budget', 'Budget').inputs).toMatchObject({
      budgetType: 'COST',
      limitAmount: '200',
      limitUnit: 'USD',
      timeUnit: 'MONTHLY',
      costFilters: [{ name: 'TagKeyValue', values: ['user:sst:stage$production'] }],
      notifications: [50, 80, 100].map((threshold) => ({
        comparisonOperator: 'GREATER_THAN',
        threshold,
        thresholdType: 'PERCENTAGE',
        notificationType: 'ACTUAL',
        subscriberEmailAddresses: [alarmEmail],
      })),
    });
  });

  test('refuses what one address sends over the rate, by no other rule, before its router', () => {
    const wall = stack.one('aws:wafv2/webAcl:WebAcl', 'Firewall');
    expect(wall.provider).toBe('EdgeMetrics');
    expect(wall.inputs).toMatchObject({ scope: 'CLOUDFRONT', defaultAction: { allow: {} } });
    expect(wall.inputs.rules).toEqual([
      expect.objectContaining({
        action: { block: { customResponse: expect.objectContaining({ responseCode: 429 }) } },
        statement: {
          rateBasedStatement: { limit: 2_000, evaluationWindowSec: 300, aggregateKeyType: 'IP' },
        },
      }),
    ]);
    const [distribution] = stack.of('aws:cloudfront/distribution:Distribution');
    expect(distribution?.inputs.webAclId).toBe('arn:aws:wafv2:eu-central-1:123456789012:errand-production');
  });

  test('has the tag of its stage on what is made in the region of CloudFront', () => {
    const { inputs } = stack.one('pulumi:providers:aws', 'EdgeMetrics');
    expect(JSON.parse(String(inputs.defaultTags))).toEqual({
      tags: { 'sst:app': 'errand', 'sst:stage': 'production' },
    });
  });

  test('sends its alarms, and says nothing of them at the deploy', () => {
    const mails = stack.of('aws:sns/topicSubscription:TopicSubscription');
    expect(mails.map(({ inputs }) => inputs.endpoint)).toEqual([alarmEmail, alarmEmail]);
    expect(stack.outputs).not.toHaveProperty('alarms');
    expect(stack.said).not.toContainEqual(expect.stringContaining('alarmEmail'));
  });

  test('is asked from outside only if its settings say so', () => {
    expect(stack.of('aws:route53/healthCheck:HealthCheck')).toEqual([]);
    const alarms = stack.of('aws:cloudwatch/metricAlarm:MetricAlarm').map(({ name }) => name);
    expect(alarms).not.toContain('Unreachable');
  });
});
