import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { publicSite } from '../../support/lambda/public-site.ts';
import { expectUndisturbed, type RunOf } from '../support/evidence.ts';
import { killBeyond, startHouse, undisturbedInvocation } from '../support/invocation-house.ts';
import { expectSoundBooks } from '../support/sound-books.ts';

/** Five runs that read what is harmless take 190 MB, the page of the hostile run 360 MB. */
const memoryMegabytes = 260;

const hostileRun: RunOf = (outside, label) => {
  const calls = [{ name: 'web_crawl', args: { url: `${publicSite}/scroll/${label}/a` } }];
  outside.script(label, (number) => (number === 1 ? { calls } : { text: 'Read.' }));
  return { question: `Read it [${label} run]` };
};

// Lambda's limit is the environment's memory. The peak of a process is read where the system is Linux.
test.skipIf(!existsSync('/proc/self/status'))(
  'a page that ends its environment for want of memory ends its own run alone, and costs the runs beside it nothing',
  async () => {
    const house = await startHouse();
    const reference = await undisturbedInvocation(house);
    const [hostile] = await house.createRuns(['hostile'], hostileRun);
    const neighbours = await house.createRuns([1, 2, 3, 4, 5, 6].map((number) => `neighbour-${number}`));
    const source = house.start({
      meddle: (_, environment) => killBeyond(memoryMegabytes, environment),
    });
    for (const subject of neighbours) await expectUndisturbed(subject, reference);
    const message = 'The run was stopped because it could not be carried on after several attempts.';
    expect((await hostile?.desk.follow(hostile.agentId))?.at(-1)).toMatchObject({ type: 'error', message });
    await house.expectEmptyQueue();
    await source.stop();
    const deaths = source.delivered.filter(({ end }) => end === 'SIGKILL');
    expect(deaths[0]?.messageIds.length).toBeGreaterThan(1);
    for (const { desk } of [...neighbours, hostile!]) desk.close();
    await expectSoundBooks(house.ground);
    await house.close();
  },
);
