import fc from 'fast-check';
import { createStage } from './support/plays.ts';
import { plays } from './support/random-plays.ts';
import { useStage, withHouse } from './support/row.ts';

useStage();

/** `MONEY_PLAYS=10000 npm test -- test/billing/plays` plays for a quarter of an hour. */
const count = Number(process.env.MONEY_PLAYS ?? 150);
/** On a machine that other work shares. */
const playMilliseconds = 1_000;

withHouse(
  'the books agree, no balance falls below the stated line and no budget is exceeded, whatever callers and providers do',
  async (house, { provider }) => {
    await house.startWorker();
    const play = createStage(house, provider);
    await fc.assert(fc.asyncProperty(plays, play), { numRuns: count, endOnFailure: true });
  },
  {},
  600_000 + count * playMilliseconds,
);
