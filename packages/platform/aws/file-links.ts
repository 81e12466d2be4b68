import type { ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-s3';
import type { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Bucket, Files, LoadedSdk, PresignOptions } from './files.ts';

interface LinkOptions {
  expiresIn: number;
  signableHeaders?: Set<string>;
}

export function links({ bucket, load }: Bucket): Pick<Files, 'presignGet' | 'presignHead' | 'presignPut'> {
  const sign = async <I extends ServiceInputTypes, O extends ServiceOutputTypes>(
    makeCommand: (sdk: LoadedSdk['sdk']) => Parameters<typeof getSignedUrl<ServiceInputTypes, I, O>>[1],
    options: LinkOptions,
  ) => {
    const { sdk, s3 } = await load();
    const presigner = await import('@aws-sdk/s3-request-presigner');
    return presigner.getSignedUrl(s3, makeCommand(sdk), options);
  };
  return {
    presignGet(key, options) {
      const object = { Bucket: bucket, Key: key, ...overrides(options) };
      return sign((sdk) => new sdk.GetObjectCommand(object), { expiresIn: options.expiresInSeconds });
    },
    presignHead(key, options) {
      const object = { Bucket: bucket, Key: key, ...overrides(options) };
      return sign((sdk) => new sdk.HeadObjectCommand(object), { expiresIn: options.expiresInSeconds });
    },
    presignPut(key, { expiresInSeconds, bytes, contentType }) {
      const object = { Bucket: bucket, Key: key, ContentLength: bytes, ContentType: contentType };
      const signableHeaders = new Set(['content-length', 'content-type']);
      return sign((sdk) => new sdk.PutObjectCommand(object), {
        expiresIn: expiresInSeconds,
        signableHeaders,
      });
    },
  };
}

/** The headers of the bucket's answer that a link sets. */
const overrides = ({ attachmentName, contentType }: PresignOptions) => ({
  ...(attachmentName && { ResponseContentDisposition: `attachment; filename="${attachmentName}"` }),
  ...(contentType && { ResponseContentType: contentType }),
});
