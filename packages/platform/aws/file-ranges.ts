import { prompt } from './file-times.ts';
import type { Bucket } from './files.ts';

/** A range past the end is refused by S3, and read as no bytes. */
export async function readRange(
  { bucket, load }: Bucket,
  key: string,
  { offset, length }: { offset: number; length: number },
  { signal }: { signal?: AbortSignal } = {},
): Promise<Uint8Array | undefined> {
  const { sdk, s3 } = await load();
  try {
    const Range = `bytes=${offset}-${offset + length - 1}`;
    const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: key, Range });
    const found = await s3.send(command, { ...prompt, ...(signal && { abortSignal: signal }) });
    return await found.Body?.transformToByteArray();
  } catch (error) {
    if (error instanceof sdk.NoSuchKey) return undefined;
    if ((error as Error).name === 'InvalidRange') return new Uint8Array();
    throw error;
  }
}
