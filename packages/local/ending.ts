import type { LocalService } from './start-local.ts';

const exitMilliseconds = 14_800;
/** A charge that is being written has 3.5 s to be written or kept. */
const hurriedExitMilliseconds = 4_000;
/** npm passes on the Ctrl-C that the terminal has sent to the service already. */
const sameSignalMilliseconds = 500;

type EndingService = Pick<LocalService, 'stop' | 'hurry' | 'underWay'>;

export interface Ending {
  /** The service has started. Returns whether it ends already, because it was interrupted before. */
  begin(service: EndingService): boolean;
  /** The first interruption ends the service in order, the second at once. */
  interrupt(): void;
  /** Ends the service in order, then the process with this status, or with the highest if it ends for several reasons. */
  end(status: number): void;
}

/** How the process ends. It never takes longer than 15 s. */
export function createEnding(
  say: (text: string) => void,
  exit: (status: number) => void = (status) => process.exit(status),
): Ending {
  let service: EndingService | undefined;
  let status: number | undefined;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  const exitAfter = (milliseconds: number) => void setTimeout(() => exit(1), milliseconds).unref();
  const stop = (started: EndingService) => {
    say(describeWait(started.underWay()));
    started.stop().then(
      () => exit(status ?? 0),
      () => exit(1),
    );
  };
  const end = (wanted: number) => {
    const isEnding = status !== undefined;
    status = Math.max(status ?? 0, wanted);
    if (isEnding) return;
    exitAfter(exitMilliseconds);
    if (service) stop(service);
    else if (wanted !== 0) exit(wanted);
  };
  return {
    begin(started) {
      service = started;
      if (status !== undefined) stop(service);
      return status !== undefined;
    },
    interrupt() {
      const now = performance.now();
      if (now - interruptedAt < sameSignalMilliseconds) return;
      interruptedAt = now;
      if (status === undefined) return end(0);
      service?.hurry();
      exitAfter(hurriedExitMilliseconds);
    },
    end,
  };
}

function describeWait({ requests, runs }: ReturnType<LocalService['underWay']>): string {
  const parts = [count(requests, 'request'), count(runs, 'run')].filter((part) => part !== undefined);
  if (parts.length === 0) return 'Stopping.';
  return `Stopping: ${parts.join(', ')}; up to 15 s. Ctrl-C again ends at once.`;
}

const count = (number: number, noun: string): string | undefined =>
  number === 0 ? undefined : `${number} ${noun}${number === 1 ? '' : 's'}`;
