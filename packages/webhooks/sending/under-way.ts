import { limits, newUuid } from '@errand/platform';
import type { WebhookStoreDeps } from '../deps.ts';
import { addAttempt, hostsOf, removeAttempts } from './under-way-store.ts';

/**
 * Counts an attempt among those of its account and of its host that are under way, in whatever process. Returns the
 * function that gives its place back, or undefined if there are as many as may be.
 */
export async function beginAttempt(
  deps: WebhookStoreDeps,
  accountId: string,
  url: string,
): Promise<(() => Promise<void>) | undefined> {
  const host = hostOf(url);
  const name = `${deps.clock() + limits.webhookUnderWayMilliseconds}#${newUuid()}`;
  // A place that cannot be given back is found to be a dead process's later.
  const finish = () => removeAttempts(deps, accountId, [host], [name]).catch(() => {});
  for (;;) {
    const underWay = await addAttempt(deps, accountId, host, name);
    // The SDK sends a write again if its answer got lost. The second one is refused, though the place is ours.
    if (!underWay || underWay.attempts?.has(name)) return finish;
    const left = [...(underWay.attempts ?? [])].filter((other) => !isUnderWay(other, deps.clock()));
    if (left.length === 0) return undefined;
    await removeAttempts(deps, accountId, hostsOf(underWay), left);
  }
}

/** An attempt's name tells when it ends. One that would end later than any was named before the clock went back. */
function isUnderWay(name: string, nowMilliseconds: number): boolean {
  const left = Number(name.split('#')[0]) - nowMilliseconds;
  return left > 0 && left <= limits.webhookUnderWayMilliseconds + limits.clockSkewMilliseconds;
}

/** The name of the host: its ports are one machine's. An address that cannot be read is none that is sent to. */
const hostOf = (url: string): string => URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
