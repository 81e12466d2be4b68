import type { Settings } from './settings.ts';
import { inVirginia } from './virginia.ts';

/**
 * What the edge tells of a request. Queries, cookies and headers are left out: links to saved files are signed in them. So are
 * paths, which have the names of files.
 */
const recordFields = [
  'date',
  'time',
  'x-edge-request-id',
  'c-ip',
  'c-country',
  'cs-method',
  'cs-protocol',
  'sc-status',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
  'cs-bytes',
  'sc-bytes',
  'time-taken',
  'time-to-first-byte',
];

/** If the stage's settings ask for it, has CloudFront write a line for each request, also for those that no function sees. */
export function createEdgeLogs({ edgeLogs }: Settings, distributionArn: $util.Input<string>): void {
  if (!edgeLogs) return;
  const options = inVirginia();
  const name = `${$app.name}-${$app.stage}-edge`;
  const group = new aws.cloudwatch.LogGroup(
    'EdgeLog',
    { name: `/${$app.name}/${$app.stage}/edge`, retentionInDays: edgeLogs.days },
    options,
  );
  const source = new aws.cloudwatch.LogDeliverySource(
    'EdgeLogSource',
    { name, logType: 'ACCESS_LOGS', resourceArn: distributionArn },
    options,
  );
  const destination = new aws.cloudwatch.LogDeliveryDestination(
    'EdgeLogDestination',
    {
      name,
      outputFormat: 'json',
      deliveryDestinationConfiguration: { destinationResourceArn: group.arn },
    },
    options,
  );
  new aws.cloudwatch.LogDelivery(
    'EdgeLogDelivery',
    { deliverySourceName: source.name, deliveryDestinationArn: destination.arn, recordFields },
    options,
  );
}
