import { abortUploadsAfterDays, fileExpirations } from '@errand/platform';
import type { Settings } from './settings.ts';

/** The private bucket. Lifecycle rules delete its objects. */
export function createFiles({ runReadableDays }: Settings): sst.aws.Bucket {
  const expirations = fileExpirations(runReadableDays);
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
    // SST makes rules from these. The transform replaces the rules, because unfinished uploads must end too.
    lifecycle: expirations.map(({ prefix, days }) => ({
      prefix,
      expiresIn: `${days} day${days > 1 ? 's' : ''}` as '2 days',
    })),
    transform: { lifecycle: { rules } },
  });
}
