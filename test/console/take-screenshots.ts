import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import buildPages from '../../scripts/build-pages.ts';
import { root } from '../../scripts/bundle-function.ts';
import { launchChromium } from '../../scripts/chromium.ts';
import { workOn } from './support/example.ts';
import { type House, startHouse } from './support/house.ts';
import { useForDays } from './support/use-for-days.ts';
import { visits } from './support/visits.ts';

const folder = path.join(root, 'docs/console');
const mostBytes = 72_000;

/** The names of the pictures to take, such as `evidence`; all if none is named. */
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

const looks = { light: { scheme: 'light' }, dark: { scheme: 'dark' }, phone: { width: 390 } } as const;

/** Takes a picture of each page in each scheme, and as a phone shows it. */
async function takeScreenshots(house: House): Promise<void> {
  for (const [kind, options] of Object.entries(looks))
    for (const { name, place, go, look } of visits.filter((visit) => isWanted(visit.name))) {
      const page = await house.open(place, options);
      await go(page);
      await take(page, `${name}-${kind}`, look);
    }
}

async function take(page: Page, name: string, look?: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate('scrollTo(0, 0); document.activeElement?.blur()');
  if (look) await page.evaluate(toTop(look));
  const file = path.join(folder, `${name}.webp`);
  const bytes = await takeWebp(page);
  await page.context().close();
  await writeFile(file, bytes);
  const size = bytes.length;
  console.log(`${path.relative(root, file)}  ${size} bytes`);
  if (size > mostBytes) throw new Error(`${file} has more than ${mostBytes} bytes`);
}

/** Playwright itself writes PNG and JPEG alone. */
async function takeWebp(page: Page): Promise<Buffer> {
  const chromium = await page.context().newCDPSession(page);
  const { data } = await chromium.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  return Buffer.from(data, 'base64');
}

const toTop = (text: string) => `
  [...document.querySelectorAll('main :is(h2, button, .asked)')]
    .find((each) => each.textContent === ${JSON.stringify(text)}).scrollIntoView()`;

await buildPages();
await mkdir(folder, { recursive: true });
for (const name of wanted.length > 0 ? [] : await readdir(folder))
  if (/\.(png|webp)$/.test(name)) await rm(path.join(folder, name));
const browser = await launchChromium();
const house = await startHouse(browser);
try {
  house.models.script(workOn);
  await useForDays(house);
  await takeScreenshots(house);
} finally {
  await house.close();
  await browser.close();
}
