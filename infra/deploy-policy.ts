/** What somebody who deploys must be allowed, by the types of the resources that a stage is made of. */
interface Needed {
  actions: readonly string[];
  /** ARNs of what a stage names itself. Default: everything, where AWS makes the names or takes no others. */
  resources?: readonly string[];
}

const crud = (service: string, thing: string, more: readonly string[] = []): string[] =>
  [`Create${thing}`, `Delete${thing}`, ...more].map((action) => `${service}:${action}`);

const of = (service: string, ...actions: string[]): string[] =>
  actions.map((action) => `${service}:${action}`);

const own = {
  functions: ['arn:aws:lambda:*:*:function:errand-*'],
  mappings: ['arn:aws:lambda:*:*:event-source-mapping:*', ...['arn:aws:lambda:*:*:function:errand-*']],
  tables: ['arn:aws:dynamodb:*:*:table/errand-*'],
  queues: ['arn:aws:sqs:*:*:errand-*'],
  topics: ['arn:aws:sns:*:*:errand-*', 'arn:aws:sns:*:*:EdgeAlarms-*'],
  buckets: ['arn:aws:s3:::errand-*', 'arn:aws:s3:::errand-*/*'],
  roles: ['arn:aws:iam::*:role/errand-*'],
  logs: ['arn:aws:logs:*:*:log-group:/errand/*', 'arn:aws:logs:*:*:log-group:/sst/*'],
  alarms: ['arn:aws:cloudwatch:*:*:alarm:errand-*', 'arn:aws:cloudwatch::*:dashboard/errand-*'],
  state: [
    'arn:aws:s3:::sst-state-*',
    'arn:aws:s3:::sst-state-*/*',
    'arn:aws:s3:::sst-asset-*',
    'arn:aws:s3:::sst-asset-*/*',
  ],
  parameters: ['arn:aws:ssm:*:*:parameter/sst/*'],
} as const;
