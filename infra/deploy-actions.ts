/** Actions of AWS, by service, separated by spaces. */
export type Actions = Readonly<Record<string, string>>;

const functionUrl =
  'CreateFunctionUrlConfig GetFunctionUrlConfig UpdateFunctionUrlConfig DeleteFunctionUrlConfig';
const taggable = 'TagResource UntagResource ListTagsForResource';

/**
 * What whoever deploys must be allowed for each type of resource that a stage may have: to make it, read it, change it,
 * tag it, and remove it.
 */
export const neededFor: Readonly<Record<string, Actions>> = {
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
  'cloudwatch/eventRule:EventRule': {
    events: `PutRule DescribeRule DeleteRule EnableRule DisableRule ${taggable}`,
  },
  'cloudwatch/eventTarget:EventTarget': { events: 'PutTargets ListTargetsByRule RemoveTargets' },
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
    ec2: 'CreateSecurityGroup DeleteSecurityGroup DescribeSecurityGroupRules DescribeNetworkInterfaces DescribeManagedPrefixLists GetManagedPrefixListEntries',
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
  'lambda/functionEventInvokeConfig:FunctionEventInvokeConfig': {
    lambda: 'PutFunctionEventInvokeConfig GetFunctionEventInvokeConfig DeleteFunctionEventInvokeConfig',
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
