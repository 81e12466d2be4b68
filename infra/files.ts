/**
 * Uploads, large payloads of events, and files that runs saved: private, and gone by themselves. Runs live for a day;
 * what belongs to one that started on a day's end goes with the next day.
 */
export const expirations = [
  { prefix: 'uploads/', days: 1 },
  { prefix: 'events/', days: 2 },
  { prefix: 'saved/', days: 2 },
] as const;

/** Parts of uploads that were neither completed nor aborted cost as much as objects. */
const abortUploadsAfterDays = 1;

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
