import type { AwsSettings } from '../config.ts';

/** The origin of links into the bucket, as the SDK (3.1169) makes them. Browsers must be allowed to connect to it. */
export const bucketOrigin = ({
  endpoints,
  bucket,
  region,
}: Pick<AwsSettings, 'endpoints' | 'bucket' | 'region'>): string =>
  endpoints.s3 === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : new URL(endpoints.s3).origin;
