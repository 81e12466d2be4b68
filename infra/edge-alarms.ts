import { type Alarm, metric } from './alarm-metrics.ts';
import type { Settings } from './settings.ts';

/** What stands before the functions. */
export interface Edge {
  distributionID: $util.Input<string>;
  url: $util.Output<string>;
}

/** What functions cannot tell that CloudFront does not reach. The metrics of CloudFront and Route 53 are in us-east-1 alone. */
export function edgeAlarms({ probe }: Settings, edge: Edge): Record<string, Alarm> {
  const ofEdge = (metricName: string, stat: string) =>
    metric('AWS/CloudFront', metricName, { DistributionId: edge.distributionID, Region: 'Global' }, stat);
  const check = probe ? createHealthCheck(edge) : undefined;
  return {
    EdgeErrorRate: {
      description: 'CloudFront answers more than 5 % of the requests with 5xx, its own errors included.',
      threshold: 5,
      periods: 2,
      metrics: (period) => [
        { id: 'requests', metric: { ...ofEdge('Requests', 'Sum'), period }, returnData: false },
        { id: 'rate', metric: { ...ofEdge('5xxErrorRate', 'Average'), period }, returnData: false },
        // One failure at night is no outage.
        { id: 'outage', expression: 'IF(requests >= 20, rate, 0)', label: 'percent', returnData: true },
      ],
    },
    ...(check && {
      Unreachable: {
        description: 'The stage does not answer /healthz, asked through CloudFront from three regions.',
        threshold: 0,
        metrics: (period) => [
          {
            id: 'healthy',
            metric: {
              ...metric('AWS/Route53', 'HealthCheckStatus', { HealthCheckId: check.id }, 'Minimum'),
              period,
            },
            returnData: false,
          },
          { id: 'down', expression: '1 - healthy', label: 'down', returnData: true },
        ],
      },
    }),
  };
}

/** Asks every 30 s from the fewest regions that AWS allows: each request is paid for at the edge and in the function. */
const createHealthCheck = ({ url }: Edge): aws.route53.HealthCheck =>
  new aws.route53.HealthCheck('Probe', {
    type: 'HTTPS',
    fqdn: url.apply((text) => new URL(text).hostname),
    port: 443,
    resourcePath: '/healthz',
    requestInterval: 30,
    failureThreshold: 3,
    regions: ['eu-west-1', 'us-east-1', 'us-west-2'],
    tags: { Name: `${$app.name}-${$app.stage}` },
  });
