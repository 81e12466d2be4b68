import { DomainError, filePrefixes } from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import type { FileKind } from './file-kind.ts';
import { keyName } from './file-name.ts';
import { savedPrefix } from './saved-files/saved-files.ts';

/** A file that lies in the bucket for one run that is being created. */
export interface Upload {
  /** The run's id: the file lies under its prefix, and goes with it. */
  agentId: string;
  key: string;
  filename: string;
  kind: FileKind;
  /** The run will not be created: undoes what was done for this file. Never fails. */
  drop(reason?: unknown): Promise<void>;
}

const uploadPrefix = (agentId: string): string => `${filePrefixes.uploads}${agentId}/`;

export const uploadKey = (agentId: string, filename: string): string =>
  `${uploadPrefix(agentId)}${keyName(filename)}`;

/** A refusal of one field of the request. */
export const fieldIssue = (field: string, problem: string): DomainError =>
  new DomainError('invalid_request', { issues: [{ field, problem }] });

/** Deletes what a run was sent and what it saved. */
export async function deleteRunFiles({ files }: Pick<UploadDeps, 'files'>, agentId: string): Promise<void> {
  await files.deletePrefix(savedPrefix(agentId));
  await files.deletePrefix(uploadPrefix(agentId));
}

export function requireUploads(deps: UploadDeps): void {
  if (!deps.uploads.uploadsEnabled) throw new DomainError('uploads_disabled');
}
