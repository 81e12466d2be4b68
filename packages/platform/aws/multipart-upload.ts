import type { S3Client } from '@aws-sdk/client-s3';

/** An upload of one object in parts. The object exists from `complete` on; `abort` leaves nothing. */
export interface MultipartUpload {
  /** Parts are sent one after the other. Every part but the last has 5 MiB or more, as S3 demands. */
  send(part: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  abort(): Promise<void>;
}

export async function startMultipartUpload(
  { sdk, s3 }: { sdk: typeof import('@aws-sdk/client-s3'); s3: S3Client },
  object: { Bucket: string; Key: string },
  contentType: string,
): Promise<MultipartUpload> {
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
