import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { chromiumPath, launchChromium } from '../../scripts/chromium.ts';

/** Tests that need a real browser, which starts before them. Where there is none, they are skipped and say so. */
export function describeInChromium(what: string, tests: (browser: () => Browser) => void): void {
  const missing =
    chromiumPath === undefined ? ' (skipped: no Chromium; apt-get install chromium-headless-shell)' : '';
  describe.skipIf(chromiumPath === undefined)(`${what}${missing}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());
    tests(() => browser);
  });
}
