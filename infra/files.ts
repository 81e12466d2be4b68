import { abortUploadsAfterDays, fileExpirations } from '@errand/platform';

/** The private bucket. Its objects go by themselves. */
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
    // SST makes the rules from these, and the transform replaces them, to end unfinished uploads too.
    lifecycle: fileExpirations.map(({ prefix, days }) => ({
      prefix,
      expiresIn: `${days} day${days > 1 ? 's' : ''}` as '2 days',
    })),
    transform: { lifecycle: { rules } },
  });
}
