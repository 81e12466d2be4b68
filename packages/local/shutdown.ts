import { limits } from '@errand/platform';
import type { LocalService } from './start-local.ts';

/** npm passes on the Ctrl-C that the terminal has sent to the service already. */
const sameSignalMilliseconds = 500;

type StoppableService = Pick<LocalService, 'stop' | 'force' | 'inFlight'>;

interface Shutdown {
  /** The service has started. Returns whether it ends already, because it was interrupted before. */
  begin(service: StoppableService): boolean;
  /** The first interruption ends the service in order, the second at once. */
  interrupt(): void;
  /** Ends the service in order, then the process with this status, or with the highest if it ends for several reasons. */
  end(status: number): void;
}

/** How the process ends. It never takes longer than `stopSeconds`. */
export function createShutdown(
  say: (text: string) => void,
  exit: (status: number) => void = (status) => process.exit(status),
): Shutdown {
  let service: StoppableService | undefined;
  let status: number | undefined;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  const exitAfter = (milliseconds: number) => void setTimeout(() => exit(1), milliseconds).unref();
  const stop = (started: StoppableService) => {
    say(describeWait(started.inFlight()));
    started.stop().then(
      () => exit(status ?? 0),
      () => exit(1),
    );
  };
  const end = (wanted: number) => {
    const isShuttingDown = status !== undefined;
    status = Math.max(status ?? 0, wanted);
    if (isShuttingDown) return;
    exitAfter(limits.shutdownExitMilliseconds);
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
      service?.force();
      exitAfter(limits.forcedExitMilliseconds);
    },
    end,
  };
}

function describeWait({ requests, runs }: ReturnType<LocalService['inFlight']>): string {
  const parts = [count(requests, 'request'), count(runs, 'run')].filter((part) => part !== undefined);
  if (parts.length === 0) return 'Stopping.';
  return `Stopping: ${parts.join(', ')}; up to ${limits.stopSeconds} s. Ctrl-C again ends at once.`;
}

const count = (number: number, noun: string): string | undefined =>
  number === 0 ? undefined : `${number} ${noun}${number === 1 ? '' : 's'}`;
