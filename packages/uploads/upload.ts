import { DomainError, filePrefixes, type NamedWrite } from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import type { FileKind } from './file-kind.ts';
import { keyName } from './file-name.ts';
import { savedPrefix } from './saved-files/saved-files.ts';

/** A file in the bucket for a run that is being created. */
export interface Upload {
  /** The run's id. The file's key begins with it, and the file is deleted with the run. */
  agentId: string;
  key: string;
  filename: string;
  kind: FileKind;
  /** Call this if the run is not created: it deletes the file or gives up its claim. Never throws. */
  drop(reason?: unknown): Promise<void>;
  /** To be written with the run, if the file came by link: the upload is no longer open. */
  taken?: NamedWrite;
}

const uploadPrefix = (agentId: string): string => `${filePrefixes.uploads}${agentId}/`;

export const uploadKey = (agentId: string, filename: string): string =>
  `${uploadPrefix(agentId)}${keyName(filename)}`;

export const deleteSavedFiles = ({ files }: Pick<UploadDeps, 'files'>, agentId: string): Promise<void> =>
  files.deletePrefix(savedPrefix(agentId));

/** Deletes the files that were uploaded for a run and those that it saved. */
export async function deleteRunFiles({ files }: Pick<UploadDeps, 'files'>, agentId: string): Promise<void> {
  await deleteSavedFiles({ files }, agentId);
  await files.deletePrefix(uploadPrefix(agentId));
}

export function requireUploads(deps: UploadDeps): void {
  if (!deps.uploads.uploadsEnabled) throw new DomainError('uploads_disabled');
}
