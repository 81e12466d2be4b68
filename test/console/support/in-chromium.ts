import { beforeAll, describe } from 'vitest';
import { withoutChromium } from './chromium.ts';
import { type House, startHouse } from './house.ts';

if (withoutChromium) console.warn(`Tests of the console are skipped: ${withoutChromium}`);

/** Tests with a browser in front of the service. Where there is no browser, they are skipped. */
export function inChromium(name: string, tests: (house: () => House) => void): void {
  describe.skipIf(withoutChromium !== undefined)(name, () => {
    let house: House | undefined;
    beforeAll(async () => {
      house = await startHouse();
      return house.close;
    });
    tests(() => house!);
  });
}
