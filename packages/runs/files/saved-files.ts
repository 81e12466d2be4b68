import type { FileExport } from '@errand/agent';
import type { Clock, Files } from '@errand/platform';
import { savedPrefix } from '../item-keys.ts';
import { makeFileLink } from './link.ts';

export interface SavedFilesDeps {
  files: Files;
  clock: Clock;
  linkSecret: string;
}

const contentTypes: Record<string, string> = {
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
};

export const contentTypeOf = (name: string): string =>
  contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

/** Where a run's `save_file` puts files, and the links that it answers with. */
export function savedFiles(deps: SavedFilesDeps, run: { agentId: string }, origin: string): FileExport {
  return {
    async save(filename, content) {
      await deps.files.put(`${savedPrefix(run.agentId)}${filename}`, content, contentTypeOf(filename));
      return makeFileLink(deps.linkSecret, origin, { agentId: run.agentId, name: filename }, deps.clock());
    },
  };
}
