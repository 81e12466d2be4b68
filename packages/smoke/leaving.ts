import type { Check } from './check.ts';
import type { MadeAccount } from './keys.ts';
import { Failed } from './outcome.ts';
import type { Scene } from './scene.ts';
import { takeAway } from './take-away.ts';

/** The last check: everything that the other checks made is gone, and the keys that were made for them are refused. */
export const leaving = (scene: Scene, account: MadeAccount | undefined): Check => ({
  name: 'nothing is left behind',
  always: true,
  async run() {
    const things = await Promise.allSettled([takeThings(scene)]);
    const ends = [...things, ...(await Promise.allSettled(account ? [account.close(scene)] : []))];
    const problems = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.message] : []));
    if (problems.length > 0) throw new Failed(problems.join('; '));
    return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])).join('; ');
  },
});

/** A service that has never accepted the key has made nothing. */
const takeThings = async (scene: Scene): Promise<string> =>
  scene.contact.keyTaken || scene.signal?.aborted ? takeAway(scene) : 'nothing was made';
