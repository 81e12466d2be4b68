import { createSemaphore, limits, takeWhileAsked } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import { readEvents } from './event-log.ts';
import type { RunRecord } from './run.ts';

interface EventPage {
  events: { id: number; at: string; event: { type: string } }[];
  /** Whether there were further events when the page was read. */
  more: boolean;
}

/** The size past which a page takes no further event, because Lambda bounds the size of an answer. */
const pageCharacters = 4 * 1024 * 1024;

/** A page may have megabytes, and hundreds may be asked for at once. */
const pages = createSemaphore(limits.largeReadsAtOnce);

/** A page of the events after an id, each with the time of its commit. */
export async function readEventPage(
  deps: RunsDeps,
  run: RunRecord,
  { after, limit }: { after: number; limit: number },
): Promise<EventPage> {
  const release = await takeWhileAsked(pages, run.payer.accountId);
  try {
    return await readPage(deps, run, { after, limit });
  } finally {
    release();
  }
}

async function readPage(
  deps: RunsDeps,
  run: RunRecord,
  { after, limit }: { after: number; limit: number },
): Promise<EventPage> {
  const events: EventPage['events'] = [];
  let characters = 0;
  const read = await readEvents(deps, run.agentId, after, limit);
  for await (const { id, at, data } of read.events) {
    events.push({ id, at, event: JSON.parse(data) as { type: string } });
    characters += data.length;
    if (characters > pageCharacters) break;
  }
  return { events, more: (events.at(-1)?.id ?? after) < run.lastEventId };
}
