import { createFunction, type Surroundings } from './create-function.ts';
import { createLiveAlias } from './live.ts';

/** Makes the function that looks after schedules, and the rule that calls it once a minute. */
export function createSchedules(surroundings: Surroundings): sst.aws.Function {
  const schedules = createFunction('schedules', surroundings);
  const alias = $dev ? undefined : createLiveAlias('schedules', schedules);
  const rule = new aws.cloudwatch.EventRule('SchedulesTick', {
    name: `${$app.name}-${$app.stage}-schedules`,
    scheduleExpression: 'rate(1 minute)',
  });
  new aws.lambda.Permission('SchedulesTickAccess', {
    function: schedules.name,
    ...(alias && { qualifier: alias.name }),
    action: 'lambda:InvokeFunction',
    principal: 'events.amazonaws.com',
    sourceArn: rule.arn,
  });
  new aws.cloudwatch.EventTarget('SchedulesTarget', {
    rule: rule.name,
    arn: alias?.arn ?? schedules.arn,
    retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
  });
  // The next minute's call does what this one did not: kept for hours, those of an outage would all come after it.
  new aws.lambda.FunctionEventInvokeConfig('SchedulesInvocations', {
    functionName: schedules.name,
    ...(alias && { qualifier: alias.name }),
    maximumRetryAttempts: 0,
    maximumEventAgeInSeconds: 60,
  });
  return schedules;
}
