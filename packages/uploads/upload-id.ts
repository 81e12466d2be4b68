import * as v from 'valibot';
import { isSameSignature, signFields } from './signature.ts';

/** The contents of an upload id, which is signed for one account. */
export interface AnnouncedUpload {
  /** The id of the run that can be created with the upload. */
  agentId: string;
  filename: string;
  bytes: number;
  expiresAtSeconds: number;
}

const prefix = 'upload_';
const schema = v.tuple([v.string(), v.string(), v.number(), v.number()]);

const sign = (secret: string, accountId: string, payload: string): string =>
  signFields(secret, 'upload-id', [accountId, payload]);

export function makeUploadId(secret: string, accountId: string, upload: AnnouncedUpload): string {
  const { agentId, filename, bytes, expiresAtSeconds } = upload;
  const fields = JSON.stringify([agentId, filename, bytes, expiresAtSeconds]);
  const payload = Buffer.from(fields).toString('base64url');
  return `${prefix}${payload}.${sign(secret, accountId, payload)}`;
}

/** Reads an upload id; undefined unless it was made for this account with this secret. */
export function readUploadId(secret: string, accountId: string, id: string): AnnouncedUpload | undefined {
  if (!id.startsWith(prefix)) return undefined;
  const [payload = '', signature = ''] = id.slice(prefix.length).split('.', 2);
  if (!isSameSignature(sign(secret, accountId, payload), signature)) return undefined;
  const [agentId, filename, bytes, expiresAtSeconds] = v.parse(
    schema,
    JSON.parse(Buffer.from(payload, 'base64url').toString()),
  );
  return { agentId, filename, bytes, expiresAtSeconds };
}
