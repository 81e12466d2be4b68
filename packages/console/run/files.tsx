import type { RunEvent } from '@errand/client';
import { formatBytes } from '../words/quantities.ts';
import { formatTime } from '../words/time.ts';
import { savedFiles } from './saved-files.ts';

/** What the run has saved for its caller. */
export function Files({ events }: { events: readonly RunEvent[] }) {
  const files = savedFiles(events);
  if (files.length === 0) return null;
  return (
    <section class="files">
      <h2>Files</h2>
      <ul>
        {files.map(({ name, bytes, url, expiresAt }) => (
          <li key={name}>
            <a href={url} rel="noreferrer" download={name}>
              {name}
            </a>{' '}
            <span class="fine">
              {formatBytes(bytes)}, until {formatTime(expiresAt)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
