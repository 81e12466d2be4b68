import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './bundle-function.ts';
import { launchChromium } from './chromium.ts';

/** Prints the sample report from its source. The PDF is kept in the repository, so that a first run needs no browser. */
async function makeSample(): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path.join(root, 'samples/sources/harbour-report.html')).href);
    await page.pdf({
      path: path.join(root, 'samples/harbour-report.pdf'),
      preferCSSPageSize: true,
      tagged: false,
    });
  } finally {
    await browser.close();
  }
}

if (import.meta.main) await makeSample();
