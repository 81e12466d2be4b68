import { abortUploadsAfterDays, fileExpirations } from '@errand/platform';

/** Private, and emptied by rule. */
export function createFiles(): sst.aws.Bucket {
  const rules = fileExpirations.map(({ prefix, days }) => ({
    id: prefix.replace('/', ''),
    status: 'Enabled',
    filter: { prefix },
    expiration: { days },
    abortIncompleteMultipartUpload: { daysAfterInitiation: abortUploadsAfterDays },
  }));
  return new sst.aws.Bucket('Files', {
    // Browsers put files straight into the bucket, with a link that is good for one file.
    cors: { allowMethods: ['GET', 'PUT'], allowOrigins: ['*'], allowHeaders: ['*'] },
    lifecycle: fileExpirations.map(({ prefix, days }) => ({
      prefix,
      expiresIn: `${days} day${days > 1 ? 's' : ''}` as '2 days',
    })),
    transform: { lifecycle: { rules } },
  });
}
