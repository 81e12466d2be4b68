import { type Actions, neededFor } from './deploy-actions.ts';

/** What SST itself asks for: its buckets of state and code, the secrets of stages, and images of containers. */
const ofSst: Actions = {
  ssm: 'GetParameter GetParameters GetParametersByPath PutParameter DeleteParameter',
  s3: 'CreateBucket ListBucket GetObject PutObject DeleteObject PutBucketVersioning PutBucketPolicy PutBucketNotification',
  sts: 'GetCallerIdentity',
  lambda: 'GetAccountSettings',
  ecr: 'GetAuthorizationToken CreateRepository DescribeRepositories BatchCheckLayerAvailability BatchGetImage GetDownloadUrlForLayer InitiateLayerUpload UploadLayerPart CompleteLayerUpload PutImage',
};

/** Services that a stage has only if its settings ask for more. */
const extras = new Set([
  'acm',
  'application-autoscaling',
  'backup',
  'backup-storage',
  'budgets',
  'ec2',
  'ecr',
  'ecs',
  'elasticloadbalancing',
  'kms',
  'servicediscovery',
  'wafv2',
]);

/** The ARNs of what a stage names itself. AWS makes the names of all others, or takes no ARN. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  budgets: ['arn:aws:budgets::*:budget/errand-*'],
  events: ['arn:aws:events:*:*:rule/errand-*'],
  ecr: ['arn:aws:ecr:*:*:repository/sst-asset'],
  dynamodb: ['arn:aws:dynamodb:*:*:table/errand-*'],
  iam: ['arn:aws:iam::*:role/errand-*', 'arn:aws:iam::*:role/aws-service-role/*'],
  lambda: ['arn:aws:lambda:*:*:function:errand-*', 'arn:aws:lambda:*:*:event-source-mapping:*'],
  s3: ['arn:aws:s3:::errand-*', 'arn:aws:s3:::sst-*'],
  sns: ['arn:aws:sns:*:*:errand-*', 'arn:aws:sns:*:*:EdgeAlarms-*'],
  sqs: ['arn:aws:sqs:*:*:errand-*'],
  ssm: ['arn:aws:ssm:*:*:parameter/sst/*'],
};

/** What `npm run deploy` and `npm run smoke` do beside SST: find functions, start, publish and move them; and make an account with a key for the checks. */
const ofChecks: readonly Statement[] = [
  {
    Effect: 'Allow',
    Action: actionsOf({
      cloudfront: 'ListDistributions GetDistributionConfig',
      cloudwatch: 'GetDashboard GetMetricData',
      lambda: 'GetAccountSettings ListFunctions',
      dynamodb: 'ListTables',
    }),
    Resource: ['*'],
  },
  {
    Effect: 'Allow',
    Action: actionsOf({
      lambda:
        'DeleteFunction GetAlias GetFunctionConfiguration GetFunctionUrlConfig InvokeFunction ListVersionsByFunction PublishVersion UpdateAlias',
    }),
    Resource: ['arn:aws:lambda:*:*:function:errand-*'],
  },
  {
    Effect: 'Allow',
    Action: actionsOf({
      dynamodb:
        'BatchGetItem ConditionCheckItem DeleteItem DescribeTable GetItem ListTagsOfResource PutItem Query UpdateItem',
    }),
    Resource: ['arn:aws:dynamodb:*:*:table/errand-*'],
  },
];

/** SST makes a place for images in each account, with or without containers. */
const always = new Set(['ecr:CreateRepository', 'ecr:DescribeRepositories']);

/** Actions of the services above for which AWS takes no ARN of theirs. */
const unscoped = new Set([
  'ecr:GetAuthorizationToken',
  'lambda:CreateEventSourceMapping',
  'lambda:GetAccountSettings',
  'sns:GetSubscriptionAttributes',
  'sns:SetSubscriptionAttributes',
  'sns:Unsubscribe',
]);

function actionsOf(actions: Actions): string[] {
  return Object.entries(actions).flatMap(([service, names]) =>
    names.split(' ').map((name) => `${service}:${name}`),
  );
}

interface Statement {
  Effect: 'Allow';
  Action: string[];
  Resource: readonly string[];
}

export interface PolicyDocument {
  Version: '2012-10-17';
  Statement: Statement[];
}

const everything = ['*'];

const statementsOf = (actions: readonly string[], resources: readonly string[]): Statement[] =>
  [
    { Action: actions.filter((action) => !unscoped.has(action)), Resource: resources },
    { Action: actions.filter((action) => unscoped.has(action)), Resource: everything },
  ]
    .filter(({ Action }) => Action.length > 0)
    .map((statement) => ({ Effect: 'Allow', ...statement }));

/** One statement for what has the same resources: AWS bounds the policy. */
const joined = (statements: readonly Statement[]): Statement[] =>
  [...Map.groupBy(statements, ({ Resource }) => Resource.join()).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, Action: [first, ...others].flatMap(({ Action }) => Action) }] : [],
  );

/** The types of resources that may be in a stage, without `aws:`. */
export const deployedTypes = Object.keys(neededFor);

/**
 * `stage` is what every stage needs, `extras` what some settings need beside it, `checks` what the commands need beside SST. AWS bounds each
 * to 6,144 characters.
 */
export function deployPolicies(): Record<'stage' | 'extras' | 'checks', PolicyDocument> {
  const byService = new Map<string, Set<string>>();
  for (const actions of [...Object.values(neededFor), ofSst])
    for (const [service, names] of Object.entries(actions)) {
      const known = byService.get(service) ?? new Set<string>();
      byService.set(service, known);
      for (const action of actionsOf({ [service]: names })) known.add(action);
    }
  const documentOf = (isExtra: boolean): PolicyDocument => ({
    Version: '2012-10-17',
    Statement: joined(
      [...byService]
        .map(([service, names]) => {
          const isOfExtras = (action: string) => extras.has(service) && !always.has(action);
          return [service, [...names].filter((action) => isOfExtras(action) === isExtra)] as const;
        })
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([service, names]) => statementsOf([...names].sort(), scopes[service] ?? everything)),
    ),
  });
  const checks: PolicyDocument = { Version: '2012-10-17', Statement: [...ofChecks] };
  return { stage: documentOf(false), extras: documentOf(true), checks };
}
