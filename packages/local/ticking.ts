import { delay, describeError } from '@errand/platform';
import { type ServiceDeps, scheduleTicker } from '@errand/service';
import type { Stoppable } from './stoppable.ts';

/** Often enough for people who wait for a minute to begin. */
const tickMilliseconds = 5_000;

/** Looks after schedules every few seconds, in the background. On stop, those that are being looked after are waited for. */
export function startTicking(parts: ServiceDeps, pause: typeof delay = delay): Stoppable {
  const controller = new AbortController();
  const { signal } = controller;
  const tick = scheduleTicker(parts);
  const tickOnAndOn = async () => {
    while (!signal.aborted) {
      await tick({ signal, isQuiet: true }).catch((error: unknown) => {
        if (!signal.aborted) parts.log.error('schedules not looked after', describeError(error));
      });
      await pause(tickMilliseconds, signal).catch(() => undefined);
    }
  };
  const ticking = tickOnAndOn();
  return {
    async stop() {
      controller.abort();
      await ticking;
    },
  };
}
