import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './bundle-function.ts';
import { launchChromium } from './chromium.ts';

/** Prints the samples from their sources. The PDFs are kept in the repository, so that a first run needs no browser. */
async function makeSamples(): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    for (const source of globSync('samples/sources/*.html', { cwd: root })) {
      await page.goto(pathToFileURL(path.join(root, source)).href);
      await page.pdf({
        path: path.join(root, 'samples', `${path.basename(source, '.html')}.pdf`),
        preferCSSPageSize: true,
        tagged: false,
      });
    }
  } finally {
    await browser.close();
  }
}

if (import.meta.main) await makeSamples();
