import path from 'node:path';
import { type Clock, copyNamed, type Files, filePrefixes, limits } from '@errand/platform';
import { savedFileTypes } from '@errand/text';
import { type FileLink, makeFileLink } from './link.ts';

export interface SavedFilesDeps {
  files: Files;
  clock: Clock;
  linkSecret: string;
  /** How long a run can be read. */
  runReadableSeconds: number;
}

/** The files that a run saved lie under this prefix. */
export const savedPrefix = (agentId: string): string => `${filePrefixes.saved}${agentId}/`;

export const contentTypeOf = (name: string): string =>
  savedFileTypes[path.extname(name)] ?? 'application/octet-stream';

interface SavedFile {
  agentId: string;
  name: string;
  content: string;
  /** How much of the file that is there stays in front of the content. What is behind it is replaced. */
  afterBytes: number;
}

/**
 * Stores a run's file, in place of one with the same name or after its beginning, and returns a link that begins with
 * `origin`. The same call made twice leaves the same file. Undefined if the beginning is not there.
 */
export async function saveFile(
  deps: SavedFilesDeps,
  { agentId, name, content, afterBytes }: SavedFile,
  origin: string,
): Promise<FileLink | undefined> {
  const key = `${savedPrefix(agentId)}${name}`;
  const before = await readBeginning(deps.files, key, afterBytes);
  if (!before) return undefined;
  await deps.files.put(key, Buffer.concat([before, Buffer.from(content)]), contentTypeOf(name));
  return makeFileLink(deps.linkSecret, origin, { agentId, name }, deps.clock(), linkSeconds(deps));
}

/** Copies files that one run saved for another run. Resolves to the names of those that are gone. */
export const copyRunFiles = (
  { files }: { files: Pick<Files, 'copy'> },
  from: string,
  to: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> =>
  copyNamed(
    files,
    names,
    (name) => ({ from: `${savedPrefix(from)}${name}`, to: `${savedPrefix(to)}${name}` }),
    signal,
  );

/** A link lasts as much longer as runs do. */
const linkSeconds = ({ runReadableSeconds }: SavedFilesDeps): number =>
  limits.savedFileLinkSeconds + runReadableSeconds - limits.runReadableSeconds;

async function readBeginning(files: Files, key: string, bytes: number): Promise<Uint8Array | undefined> {
  if (bytes === 0) return new Uint8Array();
  const beginning = await files.readRange(key, { offset: 0, length: bytes });
  return beginning?.length === bytes ? beginning : undefined;
}
