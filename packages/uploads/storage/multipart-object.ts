import type { Files } from '@errand/platform';

export interface MultipartObject {
  /** Parts go up one after the other; all but the last have S3's least part size or more. */
  send(part: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  abort(): Promise<void>;
}

/** An object that is uploaded in parts. Nothing is there before `complete`, nothing remains after `abort`. */
export async function startMultipartObject(
  files: Files,
  key: string,
  contentType: string,
): Promise<MultipartObject> {
  const sdk = await import('@aws-sdk/client-s3');
  const { s3, bucket } = await files.client();
  const object = { Bucket: bucket, Key: key };
  const { UploadId } = await s3.send(
    new sdk.CreateMultipartUploadCommand({ ...object, ContentType: contentType }),
  );
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];
  return {
    async send(Body) {
      const PartNumber = parts.length + 1;
      const sent = await s3.send(new sdk.UploadPartCommand({ ...object, UploadId, PartNumber, Body }));
      parts.push({ PartNumber, ETag: sent.ETag });
    },
    async complete() {
      const MultipartUpload = { Parts: parts };
      await s3.send(new sdk.CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }));
    },
    async abort() {
      await s3.send(new sdk.AbortMultipartUploadCommand({ ...object, UploadId }));
    },
  };
}
