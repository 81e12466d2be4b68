import path from 'node:path';
import { type Clock, type Files, filePrefixes } from '@errand/platform';
import { savedFileTypes } from '@errand/text';
import { type FileLink, makeFileLink } from './link.ts';

export interface SavedFilesDeps {
  files: Files;
  clock: Clock;
  linkSecret: string;
}

/** The files that a run saved lie under this prefix. */
export const savedPrefix = (agentId: string): string => `${filePrefixes.saved}${agentId}/`;

export const contentTypeOf = (name: string): string =>
  savedFileTypes[path.extname(name)] ?? 'application/octet-stream';

/** Stores a run's file, in place of one with the same name, and returns a link that begins with `origin`. */
export async function saveFile(
  deps: SavedFilesDeps,
  file: { agentId: string; name: string; content: string },
  origin: string,
): Promise<FileLink> {
  const { agentId, name, content } = file;
  await deps.files.put(`${savedPrefix(agentId)}${name}`, content, contentTypeOf(name));
  return makeFileLink(deps.linkSecret, origin, { agentId, name }, deps.clock());
}
