/** Actions of AWS, by service, separated by spaces. */
type Actions = Readonly<Record<string, string>>;

const functionUrl =
  'CreateFunctionUrlConfig GetFunctionUrlConfig UpdateFunctionUrlConfig DeleteFunctionUrlConfig';
const taggable = 'TagResource UntagResource ListTagsForResource';

/**
 * What whoever deploys must be allowed for each type of resource that a stage may have: to make it, read it, change it,
 * tag it, and remove it.
 */
const neededFor: Readonly<Record<string, Actions>> = {
  'acm/certificate:Certificate': {
    acm: 'RequestCertificate DescribeCertificate ListTagsForCertificate AddTagsToCertificate RemoveTagsFromCertificate DeleteCertificate',
  },
  'acm/certificateValidation:CertificateValidation': { acm: 'DescribeCertificate' },
  'appautoscaling/policy:Policy': {
    'application-autoscaling': 'PutScalingPolicy DescribeScalingPolicies DeleteScalingPolicy',
    cloudwatch: 'PutMetricAlarm DescribeAlarms DeleteAlarms',
  },
  'appautoscaling/target:Target': {
    'application-autoscaling': `RegisterScalableTarget DescribeScalableTargets DeregisterScalableTarget ${taggable}`,
  },
  'backup/plan:Plan': {
    backup:
      'CreateBackupPlan GetBackupPlan UpdateBackupPlan DeleteBackupPlan ListTags TagResource UntagResource',
  },
  'backup/selection:Selection': {
    backup: 'CreateBackupSelection GetBackupSelection DeleteBackupSelection',
    iam: 'PassRole',
  },
  'backup/vault:Vault': {
    backup: 'CreateBackupVault DescribeBackupVault DeleteBackupVault',
    'backup-storage': 'MountCapsule',
    kms: 'DescribeKey CreateGrant GenerateDataKey Decrypt RetireGrant',
  },
  'backup/vaultLockConfiguration:VaultLockConfiguration': {
    backup: 'PutBackupVaultLockConfiguration DeleteBackupVaultLockConfiguration',
  },
  'budgets/budget:Budget': { budgets: `ModifyBudget ViewBudget ${taggable}` },
  'cloudfront/distribution:Distribution': {
    cloudfront: `CreateDistribution GetDistribution UpdateDistribution DeleteDistribution ${taggable}`,
  },
  'cloudfront/function:Function': {
    cloudfront: 'CreateFunction DescribeFunction GetFunction UpdateFunction PublishFunction DeleteFunction',
  },
  'cloudfront/keyValueStore:KeyValueStore': {
    cloudfront: 'CreateKeyValueStore DescribeKeyValueStore UpdateKeyValueStore DeleteKeyValueStore',
  },
  'cloudfront/keyvaluestoreKeysExclusive:KeyvaluestoreKeysExclusive': {
    'cloudfront-keyvaluestore': 'DescribeKeyValueStore ListKeys UpdateKeys',
  },
  'cloudwatch/dashboard:Dashboard': { cloudwatch: 'PutDashboard GetDashboard DeleteDashboards' },
  'cloudwatch/logDelivery:LogDelivery': {
    logs: 'CreateDelivery GetDelivery DescribeDeliveries UpdateDeliveryConfiguration DeleteDelivery PutResourcePolicy DescribeResourcePolicies',
  },
  'cloudwatch/logDeliveryDestination:LogDeliveryDestination': {
    logs: 'PutDeliveryDestination GetDeliveryDestination DeleteDeliveryDestination',
  },
  'cloudwatch/logDeliverySource:LogDeliverySource': {
    logs: 'PutDeliverySource GetDeliverySource DeleteDeliverySource',
    cloudfront: 'AllowVendedLogDeliveryForResource',
  },
  'cloudwatch/logGroup:LogGroup': {
    logs: `CreateLogGroup DescribeLogGroups PutRetentionPolicy DeleteRetentionPolicy DeleteLogGroup ${taggable}`,
  },
  'cloudwatch/metricAlarm:MetricAlarm': {
    cloudwatch: `PutMetricAlarm DescribeAlarms DeleteAlarms ${taggable}`,
  },
  'dynamodb/tag:Tag': { dynamodb: 'ListTagsOfResource TagResource UntagResource' },
  'dynamodb/table:Table': {
    dynamodb: `CreateTable DescribeTable UpdateTable DeleteTable DescribeTimeToLive UpdateTimeToLive DescribeContinuousBackups UpdateContinuousBackups ListTagsOfResource TagResource UntagResource`,
  },
  'ec2/defaultSecurityGroup:DefaultSecurityGroup': {
    ec2: 'DescribeSecurityGroups AuthorizeSecurityGroupIngress AuthorizeSecurityGroupEgress RevokeSecurityGroupIngress RevokeSecurityGroupEgress',
  },
  'ec2/internetGateway:InternetGateway': {
    ec2: 'CreateInternetGateway AttachInternetGateway DetachInternetGateway DescribeInternetGateways DeleteInternetGateway',
  },
  'ec2/routeTable:RouteTable': {
    ec2: 'CreateRouteTable CreateRoute DeleteRoute DescribeRouteTables DeleteRouteTable',
  },
  'ec2/routeTableAssociation:RouteTableAssociation': { ec2: 'AssociateRouteTable DisassociateRouteTable' },
  'ec2/securityGroup:SecurityGroup': {
    ec2: 'CreateSecurityGroup DeleteSecurityGroup DescribeSecurityGroupRules DescribeNetworkInterfaces',
  },
  'ec2/subnet:Subnet': { ec2: 'CreateSubnet ModifySubnetAttribute DescribeSubnets DeleteSubnet' },
  'ec2/vpc:Vpc': {
    ec2: 'CreateVpc ModifyVpcAttribute DescribeVpcs DescribeVpcAttribute DescribeNetworkAcls DescribeAvailabilityZones CreateTags DeleteTags DeleteVpc',
  },
  'ecs/cluster:Cluster': { ecs: `CreateCluster DescribeClusters UpdateCluster DeleteCluster ${taggable}` },
  'ecs/clusterCapacityProviders:ClusterCapacityProviders': { ecs: 'PutClusterCapacityProviders' },
  'ecs/service:Service': {
    ecs: 'CreateService DescribeServices UpdateService DeleteService DescribeServiceDeployments ListServiceDeployments',
  },
  'ecs/taskDefinition:TaskDefinition': {
    ecs: 'RegisterTaskDefinition DescribeTaskDefinition DeregisterTaskDefinition',
    iam: 'PassRole',
  },
  'iam/role:Role': {
    iam: 'CreateRole GetRole UpdateRole UpdateAssumeRolePolicy DeleteRole TagRole UntagRole PutRolePolicy GetRolePolicy DeleteRolePolicy ListRolePolicies ListAttachedRolePolicies AttachRolePolicy DetachRolePolicy ListInstanceProfilesForRole',
  },
  'lambda/alias:Alias': { lambda: 'CreateAlias GetAlias UpdateAlias DeleteAlias' },
  'lambda/eventSourceMapping:EventSourceMapping': {
    lambda:
      'CreateEventSourceMapping GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping ListTags',
  },
  'lambda/function:Function': {
    lambda:
      'CreateFunction GetFunction GetFunctionConfiguration UpdateFunctionCode UpdateFunctionConfiguration DeleteFunction PublishVersion ListVersionsByFunction GetFunctionCodeSigningConfig PutFunctionConcurrency DeleteFunctionConcurrency TagResource UntagResource ListTags',
    iam: 'PassRole',
    s3: 'GetObject',
  },
  'lambda/functionRecursionConfig:FunctionRecursionConfig': {
    lambda: 'GetFunctionRecursionConfig PutFunctionRecursionConfig',
  },
  'lambda/functionUrl:FunctionUrl': { lambda: functionUrl },
  'lambda/permission:Permission': { lambda: 'AddPermission GetPolicy RemovePermission' },
  'lb/listener:Listener': {
    elasticloadbalancing:
      'CreateListener DescribeListeners DescribeListenerAttributes ModifyListener ModifyListenerAttributes DeleteListener',
  },
  'lb/loadBalancer:LoadBalancer': {
    elasticloadbalancing:
      'CreateLoadBalancer DescribeLoadBalancers DescribeLoadBalancerAttributes DescribeCapacityReservation ModifyLoadBalancerAttributes SetSecurityGroups SetSubnets DeleteLoadBalancer DescribeTags AddTags RemoveTags',
    iam: 'CreateServiceLinkedRole',
  },
  'lb/targetGroup:TargetGroup': {
    elasticloadbalancing:
      'CreateTargetGroup DescribeTargetGroups DescribeTargetGroupAttributes ModifyTargetGroup ModifyTargetGroupAttributes DeleteTargetGroup',
  },
  'route53/healthCheck:HealthCheck': {
    route53:
      'CreateHealthCheck GetHealthCheck UpdateHealthCheck DeleteHealthCheck ListTagsForResource ChangeTagsForResource',
  },
  'route53/record:Record': {
    route53: 'ListHostedZones GetHostedZone ListResourceRecordSets ChangeResourceRecordSets GetChange',
  },
  's3/bucket:Bucket': {
    s3: 'CreateBucket ListBucket DeleteBucket GetBucketTagging PutBucketTagging GetBucketAcl GetBucketCORS GetBucketLogging GetBucketObjectLockConfiguration GetBucketPolicy GetBucketRequestPayment GetBucketVersioning GetBucketWebsite GetEncryptionConfiguration GetLifecycleConfiguration GetReplicationConfiguration GetAccelerateConfiguration',
  },
  's3/bucketCorsConfiguration:BucketCorsConfiguration': { s3: 'PutBucketCORS GetBucketCORS' },
  's3/bucketLifecycleConfiguration:BucketLifecycleConfiguration': {
    s3: 'PutLifecycleConfiguration GetLifecycleConfiguration',
  },
  's3/bucketObjectv2:BucketObjectv2': {
    s3: 'PutObject GetObject DeleteObject GetObjectTagging PutObjectTagging ListBucket ListBucketVersions DeleteObjectVersion',
  },
  's3/bucketPolicy:BucketPolicy': { s3: 'PutBucketPolicy GetBucketPolicy DeleteBucketPolicy' },
  's3/bucketPublicAccessBlock:BucketPublicAccessBlock': {
    s3: 'PutBucketPublicAccessBlock GetBucketPublicAccessBlock',
  },
  'servicediscovery/privateDnsNamespace:PrivateDnsNamespace': {
    servicediscovery: `CreatePrivateDnsNamespace GetNamespace GetOperation UpdatePrivateDnsNamespace DeleteNamespace ${taggable}`,
    route53: 'CreateHostedZone DeleteHostedZone AssociateVPCWithHostedZone',
  },
  'servicediscovery/service:Service': {
    servicediscovery: 'CreateService GetService UpdateService DeleteService',
  },
  'sns/topic:Topic': {
    sns: `CreateTopic GetTopicAttributes SetTopicAttributes DeleteTopic ${taggable}`,
  },
  'sns/topicSubscription:TopicSubscription': {
    sns: 'Subscribe GetSubscriptionAttributes SetSubscriptionAttributes Unsubscribe',
  },
  'sqs/queue:Queue': {
    sqs: 'CreateQueue GetQueueAttributes GetQueueUrl SetQueueAttributes DeleteQueue ListQueueTags TagQueue UntagQueue',
  },
  'wafv2/webAcl:WebAcl': {
    wafv2: `CreateWebACL GetWebACL UpdateWebACL DeleteWebACL ${taggable}`,
  },
};

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
    Statement: [...byService]
      .map(([service, names]) => {
        const isOfExtras = (action: string) => extras.has(service) && !always.has(action);
        return [service, [...names].filter((action) => isOfExtras(action) === isExtra)] as const;
      })
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([service, names]) => statementsOf([...names].sort(), scopes[service] ?? everything)),
  });
  const checks: PolicyDocument = { Version: '2012-10-17', Statement: [...ofChecks] };
  return { stage: documentOf(false), extras: documentOf(true), checks };
}
