import type { Bucket } from './bucket.ts';
import type { LifecycleRule } from './records.ts';

const dayMilliseconds = 24 * 3600 * 1000;

/** Removes the objects and unfinished uploads whose days, as the bucket's rules count them, are over. */
export async function sweepBucket(bucket: Bucket, nowMilliseconds: number): Promise<void> {
  const rules = (bucket.record.lifecycle ?? []).filter((rule) => rule.enabled);
  const isOver = (
    key: string,
    sinceMilliseconds: number,
    days: (rule: LifecycleRule) => number | undefined,
  ) =>
    rules.some((rule) => {
      const limit = days(rule);
      if (limit === undefined || !key.startsWith(rule.prefix)) return false;
      return nowMilliseconds - sinceMilliseconds >= limit * dayMilliseconds;
    });

  if (rules.some((rule) => rule.expireAfterDays !== undefined)) {
    const expired = bucket.objects.sortedKeys().filter((key) => {
      return isOver(key, bucket.objects.get(key)!.modifiedAtMilliseconds, (rule) => rule.expireAfterDays);
    });
    await bucket.objects.delete(expired);
  }
  for (const upload of bucket.uploads.list()) {
    if (!isOver(upload.key, upload.startedAtMilliseconds, (rule) => rule.abortUploadsAfterDays)) continue;
    await bucket.uploads.remove(upload.uploadId);
  }
}
