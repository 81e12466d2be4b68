import { limits, newUuid, startTimer, toIso } from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import type { RunRecord } from '../run.ts';
import { addStream, readStreams, removeStreams } from './place-store.ts';
import { inTurn, warnRarely } from './requests.ts';

/** A stream's place among the open streams of its run. */
export interface StreamPlace {
  /**
   * Notes a read of the open streams, as far as it brought them. Returns whether the stream is among them; a read that
   * began before the stream was counted may miss it.
   */
  noteRead(openStreams: ReadonlySet<string> | undefined): boolean;
  /** Reads whether others have taken the stream's place. */
  isLost(): Promise<boolean>;
  /** Gives the place back. If that fails, the stream counts as open until it is the oldest. */
  leave(): Promise<void>;
}

/** The place of a reader who is not counted, because he stays for a minute at most. */
export const noPlace: StreamPlace = {
  noteRead: () => true,
  isLost: async () => false,
  leave: async () => {},
};

interface PlaceState {
  deps: RunsDeps;
  run: RunRecord;
  onLost(): void;
  /** Undefined until the stream is counted. */
  name: string | undefined;
  /** The name that the first attempt to count gave it. It may be in the table though the attempt failed. */
  givenName: string | undefined;
  /** While the stream is being counted. It must not be counted twice: the second place would be nobody's. */
  counting: Promise<void> | undefined;
  looking: boolean;
  readAt: number;
  stop(): void;
}

/**
 * Counts the stream, at once or when it has lasted a while. A stream that cannot be counted goes on and is counted
 * later. `onLost` is called if the place is lost while the stream waits for its reader and cannot look itself.
 */
export async function takePlace(
  deps: RunsDeps,
  run: RunRecord,
  { atOnce, onLost }: { atOnce: boolean; onLost(): void },
): Promise<StreamPlace> {
  const state: PlaceState = {
    deps,
    run,
    onLost,
    name: undefined,
    givenName: undefined,
    counting: undefined,
    looking: false,
    readAt: deps.clock(),
    stop() {},
  };
  if (atOnce) await count(state);
  look(state);
  return {
    noteRead(openStreams) {
      state.readAt = deps.clock();
      return state.name === undefined || openStreams?.has(state.name) !== false;
    },
    isLost: () => isLost(state),
    async leave() {
      state.stop();
      await state.counting;
      if (state.name === undefined) return;
      const { name } = state;
      await inTurn(deps, run, () => removeStreams(deps, run, [name])).catch((error: unknown) =>
        warn(state, error),
      );
    },
  };
}

function count(state: PlaceState): Promise<void> {
  state.counting ??= addPlace(state).finally(() => {
    state.counting = undefined;
  });
  return state.counting;
}

/** Takes the oldest streams out where there are too many. Streams of processes that died are the oldest sooner or later. */
async function addPlace(state: PlaceState): Promise<void> {
  const { deps, run } = state;
  // Names sort by the time at which streams were counted.
  const now = toIso(deps.clock());
  state.givenName ??= `${now}#${newUuid()}`;
  const name = state.givenName;
  try {
    const open = await inTurn(deps, run, () => addStream(deps, run, name));
    const others = open.filter((other) => other !== name).sort(byAge(now));
    const surplusCount = Math.max(0, others.length + 1 - limits.streamsPerRun);
    const surplus = others.slice(0, surplusCount);
    state.name = name;
    if (surplus.length === 0) return;
    await inTurn(deps, run, () => removeStreams(deps, run, surplus));
    // Streams of this process look at once whether they are still open.
    deps.signals.send(run.agentId, 'progress');
  } catch (error) {
    warn(state, error);
  }
}

/** Oldest first. A name with a later time than now was given before the clock went back, so it counts as older. */
const byAge =
  (now: string) =>
  (left: string, right: string): number =>
    Number(right > now) - Number(left > now) || (left < right ? -1 : 1);

/** Looks every few seconds on behalf of a stream that has not looked itself. */
function look(state: PlaceState): void {
  state.stop = startTimer(state.deps, limits.streamCheckMilliseconds, () => {
    look(state);
    void lookNow(state);
  });
}

async function lookNow(state: PlaceState): Promise<void> {
  const { deps, name, readAt } = state;
  if (name === undefined) return count(state);
  const age = deps.clock() - readAt;
  if (state.looking || (age >= 0 && age < limits.streamCheckMilliseconds)) return;
  state.looking = true;
  if (await isLost(state)) state.onLost();
  state.looking = false;
}

/** A place that cannot be read is kept. */
async function isLost(state: PlaceState): Promise<boolean> {
  const { deps, run, name } = state;
  try {
    const open = await inTurn(deps, run, () => readStreams(deps, run));
    return name !== undefined && open?.has(name) === false;
  } catch (error) {
    warn(state, error);
    return false;
  }
}

const warn = ({ deps, run }: PlaceState, error: unknown) =>
  warnRarely(deps, 'streams not counted', error, { agentId: run.agentId });
