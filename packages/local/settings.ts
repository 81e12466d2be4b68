import {
  type AwsSettings,
  localBucket,
  localCredentials,
  localRegion,
  localTableNames,
  localWebhookQueue,
  localWorkQueue,
} from '@errand/platform';

export const localQueueNames = {
  queue: localWorkQueue,
  deadLetterQueue: 'errand-runs-dead-letters',
  webhookQueue: localWebhookQueue,
};

export const awsSettings = (
  endpoints: Required<AwsSettings['endpoints']>,
  { queueUrl = '', webhookQueueUrl = '' }: Partial<Pick<AwsSettings, 'queueUrl' | 'webhookQueueUrl'>> = {},
): AwsSettings => ({
  region: localRegion,
  endpoints,
  credentials: localCredentials,
  tables: localTableNames,
  queueUrl,
  webhookQueueUrl,
  bucket: localBucket,
});
