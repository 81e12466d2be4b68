import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

export interface BucketDefinition {
  bucket: string;
  /** Objects under a prefix go this many days after they were written. */
  expirations?: readonly { prefix: string; days: number }[];
  /** Multipart uploads that were never completed go after as many days. */
  abortUploadsAfterDays?: number;
}

/** Makes the bucket if it is not there, and gives it the definition's rules. */
export async function ensureBucket(s3: S3Client, definition: BucketDefinition): Promise<void> {
  const { bucket: Bucket, expirations = [], abortUploadsAfterDays } = definition;
  try {
    await s3.send(new CreateBucketCommand({ Bucket }));
  } catch (error) {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
  }
  const Rules = [
    ...expirations.map(({ prefix, days }) => ({
      ID: `expire ${prefix}`,
      Status: 'Enabled' as const,
      Filter: { Prefix: prefix },
      Expiration: { Days: days },
    })),
    ...(abortUploadsAfterDays === undefined
      ? []
      : [
          {
            ID: 'abort uploads',
            Status: 'Enabled' as const,
            Filter: { Prefix: '' },
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: abortUploadsAfterDays },
          },
        ]),
  ];
  if (Rules.length === 0) return;
  await s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
}
