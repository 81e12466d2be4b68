import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { localCredentials, localRegion } from '@errand/platform';
import type { TestService } from '../support/service.ts';

export interface TestBucket {
  /** The keys of objects under `uploads/`, and `unfinished KEY` for multipart uploads not completed or aborted. */
  uploads(): Promise<string[]>;
  /** The keys of all objects. */
  keys(): Promise<string[]>;
  /** Deletes all objects. */
  empty(): Promise<void>;
  close(): void;
}

const Bucket = 'errand-files';

export async function endpointsOf({ dataDir }: TestService) {
  const file = await readFile(path.join(dataDir, 'service.json'), 'utf8');
  return (JSON.parse(file) as { endpoints: { dynamodb: string; sqs: string; s3: string } }).endpoints;
}

export async function openBucket(service: TestService): Promise<TestBucket> {
  const { s3: endpoint } = await endpointsOf(service);
  const s3 = new S3Client({
    endpoint,
    region: localRegion,
    credentials: localCredentials,
    forcePathStyle: true,
  });
  const keys = async () => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key }) => Key ?? '');
  };
  return {
    keys,
    async empty() {
      for (const Key of await keys()) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    async uploads() {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'uploads/' }));
      const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
      return [...Contents.map(({ Key }) => Key ?? ''), ...Uploads.map(({ Key }) => `unfinished ${Key}`)];
    },
    close: () => s3.destroy(),
  };
}

/** A PNG of one grey pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

export type FormEntry = [name: string, value: string | { name: string; bytes: Uint8Array | string }];

export function formOf(...entries: FormEntry[]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([value.bytes as Uint8Array<ArrayBuffer>]), value.name);
  }
  return form;
}

export interface Answered {
  status: number;
  body: string;
  headers: Headers;
}

export async function sendForm(
  service: TestService,
  form: FormData,
  options: { key?: string; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const response = await service.request('/v1/agents/runs', { method: 'POST', body: form, ...options });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

export const agentIdOf = ({ status, body }: Answered): string => {
  if (status !== 202) throw new Error(`${status} ${body}`);
  return (JSON.parse(body) as { agentId: string }).agentId;
};
