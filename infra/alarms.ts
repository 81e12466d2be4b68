import type { Alarm } from './alarm-metrics.ts';
import { type Edge, edgeAlarms } from './edge-alarms.ts';
import type { Settings } from './settings.ts';
import { type Parts, stageAlarms } from './stage-alarms.ts';
import { inVirginia } from './virginia.ts';

/** Makes the alarms. docs/operate.md says what each one means. */
export function createAlarms(settings: Settings, parts: Parts, edge: Edge): void {
  const topic = new sst.aws.SnsTopic('Alarms');
  mail(settings, 'AlarmMail', topic.arn);
  for (const [name, alarm] of Object.entries(stageAlarms(settings, parts)))
    createAlarm(name, alarm, topic.arn);
  // An alarm can only notify a topic of its own region.
  const options = inVirginia();
  const edgeTopic = new aws.sns.Topic('EdgeAlarms', {}, options);
  mail(settings, 'EdgeAlarmMail', edgeTopic.arn, options);
  for (const [name, alarm] of Object.entries(edgeAlarms(settings, edge)))
    createAlarm(name, alarm, edgeTopic.arn, options);
}

/** What a deploy says of a stage whose alarms are sent to nobody. */
export const silenceOf = ({ permanent, alarmEmail }: Settings): string | undefined =>
  permanent && !alarmEmail
    ? 'The alarms of this stage reach nobody: set its alarmEmail in infra/settings.ts.'
    : undefined;

function mail(
  { alarmEmail }: Settings,
  name: string,
  topic: $util.Input<string>,
  options: $util.CustomResourceOptions = {},
): void {
  if (!alarmEmail) return;
  new aws.sns.TopicSubscription(name, { topic, protocol: 'email', endpoint: alarmEmail }, options);
}

function createAlarm(
  name: string,
  { description, threshold, minutes = 5, periods = 1, among = periods, metrics }: Alarm,
  topic: $util.Input<string>,
  options: $util.CustomResourceOptions = {},
): void {
  new aws.cloudwatch.MetricAlarm(
    name,
    {
      // Several stages may share an account, and the mail has only this name to tell them apart.
      name: `${$app.name}-${$app.stage}-${name}`,
      alarmDescription: description,
      comparisonOperator: 'GreaterThanThreshold',
      threshold,
      evaluationPeriods: among,
      datapointsToAlarm: periods,
      metricQueries: metrics(minutes * 60),
      treatMissingData: 'notBreaching',
      alarmActions: [topic],
      okActions: [topic],
    },
    options,
  );
}
