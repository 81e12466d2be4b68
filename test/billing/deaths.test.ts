import { checkBalances } from '@errand/money';
import { limits } from '@errand/platform';
import { accountsDeps, whenCharged } from '@errand/service';
import { expect, vi } from 'vitest';
import { afterReservation } from './support/chats.ts';
import type { House } from './support/house.ts';
import { begin, ended, routes, said, textBegins, whole } from './support/messages.ts';
import { creditsOf, type Entry, entriesOf, useStage, withHouse } from './support/row.ts';

/** Calls over a provider of Messages whose process dies at any of its writes. */
useStage();

interface Body {
  stream: boolean;
}

/** Asks, and has the provider answer, with a renewal of what is set aside once the first words were read. */
async function askAndAnswer(
  house: House,
  path: string,
  { stream, ...body }: Body,
  renewed: () => Promise<void>,
): Promise<void> {
  const read = Promise.withResolvers<void>();
  house.provider.script(async (call) => {
    if (stream) await call.raw(begin + textBegins + said('Hello world'));
    if (stream) await read.promise;
    house.timers.end(limits.reservationRenewalMilliseconds);
    await renewed();
    if (stream) call.end(ended(10));
    else call.json(200, whole(10));
  });
  const answer = await house.post(path, { model: 'essayist', stream, ...body });
  let text = '';
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes('Hello')) read.resolve();
  }
  await whenCharged(house.parts);
}

/** What a process has written: what it sets aside, then what is known, that it goes on, the charge, and that nothing is to be known. */
const [knownWrite, renewalWrite, chargeWrite, allWrites] = [2, 3, 4, 5];
const wholeCall = { inputTokens: 100, outputTokens: 10, amount: '-0.00012' };

for (const [path, body] of routes)
  for (const stream of [false, true])
    withHouse(
      `${path}${stream ? ', streamed' : ''}: at whatever write its process dies, a call is charged what was written of it, and the books agree`,
      async (first, { open }) => {
        const known = stream
          ? { inputTokens: 100, outputTokens: 2, amount: '-0.000104', brokenOff: true }
          : { inputTokens: 9, outputTokens: 0, amount: '-0.000009', brokenOff: true };
        for (let count = 1; count <= allWrites + 1; count++)
          for (const moment of ['before', 'after'] as const) {
            const caller = await first.newCaller();
            const house = await open({ caller });
            const writes = house.dieAtWrite(count, moment);
            const isRenewed = () => expect(writes()).toBeGreaterThanOrEqual(Math.min(count, renewalWrite));
            await askAndAnswer(house, path, { ...body, stream }, () => vi.waitFor(isRenewed, 60_000));
            expect([count, moment, writes() >= count]).toEqual([count, moment, count <= allWrites]);
            const written = moment === 'after' ? count : count - 1;
            const expected: Partial<Entry>[] =
              written < knownWrite ? [] : [written < chargeWrite ? known : wholeCall];
            const later = await open({ caller, clock: () => Date.now() + afterReservation });
            const { reserved, balance, available } = await creditsOf(later, caller.key);
            expect([reserved, available]).toEqual(['0', balance]);
            expect(await entriesOf(later, caller.key)).toEqual(
              expected.map((entry) => expect.objectContaining(entry)),
            );
            for await (const found of checkBalances(accountsDeps(later.parts), caller.accountId))
              expect(found).toBeUndefined();
          }
      },
    );
