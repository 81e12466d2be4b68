import type { RunsDeps } from './deps.ts';
import { readEvents } from './event-log.ts';
import type { RunRecord } from './run.ts';

export interface EventPage {
  events: { id: number; at: string; event: { type: string } }[];
  /** Whether further events were committed when the page was read. */
  more: boolean;
}

/** Events after an id, each with the time of its commit. */
export async function readEventPage(
  deps: RunsDeps,
  run: RunRecord,
  { after, limit }: { after: number; limit: number },
): Promise<EventPage> {
  const events = await readEvents(deps, run.agentId, after, limit);
  const last = events.at(-1)?.id ?? after;
  return {
    events: events.map(({ id, at, data }) => ({ id, at, event: JSON.parse(data) as { type: string } })),
    more: last < run.lastEventId,
  };
}
