import type { RunEvent } from '@errand/client';

interface SavedFile {
  name: string;
  bytes: number;
  url: string;
  expiresAt: string;
}

const pattern = /^Saved (\S+) \((\d+) bytes\)\. Download link, valid until (\S+): (https?:\/\/\S+)$/;

/** The files that the run has saved, each as it was saved last. */
export function savedFiles(events: readonly RunEvent[]): SavedFile[] {
  const files = new Map<string, SavedFile>();
  for (const event of events) {
    if (event.type !== 'tool_result' || event.toolName !== 'save_file') continue;
    const [, name, bytes, expiresAt, url] = pattern.exec(event.result) ?? [];
    if (name && expiresAt && url) files.set(name, { name, bytes: Number(bytes), url, expiresAt });
  }
  return [...files.values()];
}
