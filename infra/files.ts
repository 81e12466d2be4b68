import { abortUploadsAfterDays, expirations } from './expirations.ts';

/** Private, and emptied by rule. */
export function createFiles(): sst.aws.Bucket {
  const rules = expirations.map(({ prefix, days }) => ({
    id: prefix.replace('/', ''),
    status: 'Enabled',
    filter: { prefix },
    expiration: { days },
    abortIncompleteMultipartUpload: { daysAfterInitiation: abortUploadsAfterDays },
  }));
  return new sst.aws.Bucket('Files', {
    // Browsers put files straight into the bucket, with a link that is good for one file.
    cors: { allowMethods: ['GET', 'PUT'], allowOrigins: ['*'], allowHeaders: ['*'] },
    lifecycle: expirations.map(({ prefix, days }) => ({
      prefix,
      expiresIn: `${days} day${days > 1 ? 's' : ''}` as '2 days',
    })),
    transform: { lifecycle: { rules } },
  });
}
