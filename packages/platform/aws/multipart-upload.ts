import type { S3Client } from '@aws-sdk/client-s3';
import { prompt, timeFor } from './file-times.ts';

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
    prompt,
  );
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];
  return {
    async send(Body) {
      const PartNumber = parts.length + 1;
      const part = { ...object, UploadId, PartNumber, Body };
      const sent = await s3.send(new sdk.UploadPartCommand(part), timeFor(Body.byteLength));
      parts.push({ PartNumber, ETag: sent.ETag });
    },
    async complete() {
      const MultipartUpload = { Parts: parts };
      await s3.send(new sdk.CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }));
    },
    async abort() {
      await s3.send(new sdk.AbortMultipartUploadCommand({ ...object, UploadId }), prompt);
    },
  };
}
