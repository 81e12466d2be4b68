import { type AwsSettings, localCredentials, localRegion, localTableNames } from '@errand/platform';

export const localQueue = { queue: 'errand-runs', deadLetterQueue: 'errand-runs-dead-letters' };

export const localBucket = 'errand-files';

/** As in the cloud stack: far longer than any invocation; the worker shortens it per message. */
export const visibilityTimeoutSeconds = 1_000;

/** SQS allows no more. Deaths are counted in the run, so that waiting for a lease costs nothing. */
export const maxReceiveCount = 1_000;

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
