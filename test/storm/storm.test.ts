import { delay } from '@errand/platform';
import { expect, test } from 'vitest';
import { runStorm } from './storm.ts';

test('kills, stops, outages, a hung upstream and a clock set back lose, double and fail no run, no charge and no message, and no tool acts twice', async () => {
  const report = await runStorm({
    runs: 12,
    accounts: 2,
    chatters: 2,
    // Chats without a pause would take all of a busy machine, and its workers could not renew the leases of their runs.
    pauseMilliseconds: 500,
    leaseSeconds: 4,
    patienceMilliseconds: 180_000,
    async blow({ fleet, provider }) {
      fleet.end('worker', 'SIGKILL');
      await provider.failFor(3_000);
      await provider.hangFor(5_000);

      fleet.end('api', 'SIGTERM');
      fleet.end('worker', 'SIGTERM');
      await delay(1_000);
      fleet.end('api', 'SIGKILL');
      fleet.end('aws', 'SIGKILL');
      await fleet.whole();
      await fleet.setClock(-2 * 60 * 60 * 1000);
    },
  });
  expect(report).toMatchObject({
    runs: 19,
    followUps: 7,
    lost: [],
    stuck: [],
    failed: [],
    wrong: [],
    wronglyCharged: [],
    chargesMissing: 0,
    doubled: 0,
    problems: [],
    orderedTwice: [],
    unasked: [],
    untold: [],
    strayLines: [],
  });
});
