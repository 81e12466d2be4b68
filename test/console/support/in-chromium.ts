import { afterEach, beforeAll } from 'vitest';
import { describeInChromium } from '../../support/chromium.ts';
import { type House, startHouse } from './house.ts';

/** Tests with a browser in front of the service. */
export function inChromium(what: string, tests: (house: () => House) => void): void {
  describeInChromium(what, (browser) => {
    let house: House | undefined;
    beforeAll(async () => {
      house = await startHouse(browser());
      return house.close;
    });
    // A page that is left open goes on to draw, and to ask, while later tests run.
    afterEach(() => house?.closePages());
    tests(() => house!);
  });
}
