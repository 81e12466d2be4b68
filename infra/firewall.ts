import type { Settings } from './settings.ts';
import { inVirginia } from './virginia.ts';

const windowSeconds = 300;

/**
 * If the stage's settings ask for it, makes a firewall that refuses an address's requests over a rate, and nothing else:
 * AWS's own rules take prompts for attacks.
 */
export function createFirewall({ waf }: Settings): $util.Output<string> | undefined {
  if (!waf) return undefined;
  const name = `${$app.name}-${$app.stage}`;
  const seen = (metricName: string) => ({
    metricName,
    cloudwatchMetricsEnabled: true,
    sampledRequestsEnabled: true,
  });
  const { arn } = new aws.wafv2.WebAcl(
    'Firewall',
    {
      name,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      customResponseBodies: [
        {
          key: 'refusal',
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify({ error: 'Too many requests, please try again later.' }),
        },
      ],
      rules: [
        {
          name: 'rate',
          priority: 0,
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'refusal',
                responseHeaders: [
                  { name: 'Retry-After', value: String(windowSeconds) },
                  { name: 'Access-Control-Allow-Origin', value: '*' },
                ],
              },
            },
          },
          statement: {
            rateBasedStatement: {
              limit: waf.requestsIn5Minutes,
              evaluationWindowSec: windowSeconds,
              aggregateKeyType: 'IP',
            },
          },
          visibilityConfig: seen('rate'),
        },
      ],
      visibilityConfig: seen('all'),
    },
    inVirginia(),
  );
  return arn;
}
