import type { Run, RunEvent, RunWait } from '@errand/client';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Action, createAction } from '../session/action.ts';
import { balance } from '../session/balance.ts';
import { errand } from '../session/session.ts';

export interface FollowedRun {
  agentId: string;
  events: ReadonlySignal<readonly RunEvent[]>;
  /** The run as it was last read; absent before the first read. */
  run: ReadonlySignal<Run | undefined>;
  /** Why the stream is down, and for how long it waits. Absent while it is up. */
  pause: ReadonlySignal<{ milliseconds: number } | undefined>;
  /** What the run waits for; absent if it does not wait. */
  waiting: ReadonlySignal<RunWait | undefined>;
  ended: ReadonlySignal<boolean>;
  error: ReadonlySignal<unknown>;
  cancelling: Action;
  cancel(): void;
  follow(): void;
  leave(): void;
}

const isOver = ({ status }: Run): boolean => status !== 'queued' && status !== 'running';

/** What an event tells of the end of its run: nothing if the run goes on. It has no time of its own. */
function endOf(event: RunEvent | undefined): Partial<Run> {
  const updatedAt = new Date().toISOString();
  if (event?.type === 'done') return { status: 'succeeded', updatedAt };
  if (event?.type === 'input_required') return { status: 'awaiting_input', updatedAt };
  if (event?.type === 'error') return { status: 'failed', error: event.message, updatedAt };
  return {};
}

/** A run as it goes on: its events one by one, and its state and money as they change. */
export function followedRun(agentId: string): FollowedRun {
  const events = signal<readonly RunEvent[]>([]);
  const read = signal<Run | undefined>(undefined);
  /** The run as its end was told, until it is read again. */
  const told = signal<Partial<Run>>({});
  const run = computed(
    () => read.value && (isOver(read.value) ? read.value : { ...read.value, ...told.value }),
  );
  const pause = signal<{ milliseconds: number } | undefined>(undefined);
  const waiting = signal<RunWait | undefined>(undefined);
  const following = createAction();
  const cancelling = createAction();
  const reader = createReader(agentId, (next) => {
    read.value = next;
  });
  let leaving: AbortController | undefined;

  async function readEvents(signal: AbortSignal): Promise<void> {
    // Whatever keeps it from being read is told by the stream, which asks again by itself.
    void reader.read().catch(() => {});
    const after = events.peek().at(-1)?.id ?? 0;
    const onReconnect = ({ pauseMilliseconds: milliseconds }: { pauseMilliseconds: number }) => {
      pause.value = { milliseconds };
      // The stream then asks again, and may have nothing to tell for a long time.
      setTimeout(() => {
        pause.value = undefined;
      }, milliseconds);
    };
    const onWait = (told: RunWait | undefined) => {
      waiting.value = told;
    };
    for await (const event of errand().runs.follow(agentId, { after, signal, onReconnect, onWait })) {
      pause.value = undefined;
      told.value = endOf(event);
      events.value = [...events.peek(), event];
      reader.soon();
    }
    reader.stop();
    read.value = await errand().runs.open(agentId).wait({ after: Number.MAX_SAFE_INTEGER, signal });
    void balance().load();
  }

  return {
    ...{ agentId, events, run, pause, waiting, cancelling },
    error: following.error,
    ended: computed(() => endOf(events.value.at(-1)).status !== undefined),
    cancel: () =>
      void cancelling.run(async () => {
        read.value = await errand().runs.open(agentId).cancel();
      }),
    follow() {
      leaving?.abort();
      leaving = new AbortController();
      void following.run(() => readEvents(leaving!.signal));
    },
    leave() {
      leaving?.abort();
      reader.stop();
    },
  };
}

/** The run is read for its cost so far when an event comes, because charges come with events, but no more often than this. */
const readEveryMilliseconds = 1500;

function createReader(agentId: string, take: (run: Run) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async () => {
    clearTimeout(timer);
    timer = undefined;
    const { data } = await errand().api.GET('/v1/agents/runs/{agentId}', { params: { path: { agentId } } });
    take(data);
  };
  return {
    read,
    // The stream tells what matters. Money that could not be read now is read with the next event.
    soon: () => {
      timer ??= setTimeout(() => void read().catch(() => {}), readEveryMilliseconds);
    },
    stop: () => clearTimeout(timer),
  };
}
