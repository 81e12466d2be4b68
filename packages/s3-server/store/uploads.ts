import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Error } from '../wire/errors.ts';
import { listFinished, readRecord, replaceFile, syncFolder } from './durable-files.ts';
import type { PartRecord, UploadRecord } from './records.ts';
import type { Segments } from './segments.ts';

export interface Upload extends UploadRecord {
  parts: ReadonlyMap<number, PartRecord>;
}

/** The multipart uploads of a bucket that have not been completed or aborted. */
export interface Uploads {
  start(upload: Omit<UploadRecord, 'uploadId'>): Promise<UploadRecord>;
  /** Throws NoSuchUpload, also when the upload belongs to another key. */
  get(uploadId: string, key: string): Upload;
  list(): Upload[];
  /** The part takes over the caller's hold on its segment. If this fails, the segment is released. */
  putPart(uploadId: string, key: string, part: PartRecord): Promise<void>;
  /** Forgets the upload and releases its parts. */
  remove(uploadId: string): Promise<void>;
}

interface OpenUpload extends UploadRecord {
  parts: Map<number, PartRecord>;
}

const uploadFile = 'upload.json';

export async function openUploads(folder: string, segments: Segments): Promise<Uploads> {
  const uploads = new Map<string, OpenUpload>();
  for (const uploadId of await readdir(folder)) {
    const upload = await loadUpload(join(folder, uploadId));
    if (upload) uploads.set(uploadId, upload);
    segments.hold([...(upload?.parts.values() ?? [])].map((part) => part.segment));
  }
  const find = (uploadId: string, key: string) => {
    const upload = uploads.get(uploadId);
    if (upload?.key !== key) throw new S3Error('NoSuchUpload');
    return upload;
  };

  return {
    async start(fields) {
      const record = { uploadId: randomUUID(), ...fields };
      await mkdir(join(folder, record.uploadId));
      await replaceFile(join(folder, record.uploadId, uploadFile), JSON.stringify(record));
      await syncFolder(folder);
      uploads.set(record.uploadId, { ...record, parts: new Map() });
      return record;
    },
    get: find,
    list: () => [...uploads.values()],
    async putPart(uploadId, key, part) {
      let replaced: PartRecord | undefined;
      try {
        find(uploadId, key);
        await replaceFile(
          join(folder, uploadId, `${part.partNumber}.json`),
          JSON.stringify(part),
          (replace) => {
            const upload = find(uploadId, key);
            replace();
            replaced = upload.parts.get(part.partNumber);
            upload.parts.set(part.partNumber, part);
          },
        );
      } catch (error) {
        const isKept = uploads.get(uploadId)?.parts.get(part.partNumber) === part;
        if (!isKept) await segments.release([part.segment]);
        throw error;
      }
      if (replaced) await segments.release([replaced.segment]);
    },
    async remove(uploadId) {
      const upload = uploads.get(uploadId);
      if (!upload) return;
      uploads.delete(uploadId);
      await rm(join(folder, uploadId), { recursive: true, force: true });
      await syncFolder(folder);
      await segments.release([...upload.parts.values()].map((part) => part.segment));
    },
  };
}

/** Undefined if a crash interrupted the start or the removal of the upload: the folder is then removed. */
async function loadUpload(folder: string): Promise<OpenUpload | undefined> {
  const names = await listFinished(folder);
  if (!names.includes(uploadFile)) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const record = await readRecord<UploadRecord>(join(folder, uploadFile));
  const parts = new Map<number, PartRecord>();
  for (const name of names.filter((other) => other !== uploadFile)) {
    const part = await readRecord<PartRecord>(join(folder, name));
    parts.set(part.partNumber, part);
  }
  return { ...record, parts };
}
