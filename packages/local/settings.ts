import {
  type AwsSettings,
  localBucket,
  localCredentials,
  localRegion,
  localTableNames,
} from '@errand/platform';

export const localQueue = { queue: 'errand-runs', deadLetterQueue: 'errand-runs-dead-letters' };

export const awsSettings = (
  endpoints: Required<AwsSettings['endpoints']>,
  queueUrl: string,
): AwsSettings => ({
  region: localRegion,
  endpoints,
  credentials: localCredentials,
  tables: localTableNames,
  queueUrl,
  bucket: localBucket,
});
