import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where packages of Debian, Ubuntu and Google put a browser. The first has no window to draw, and takes two thirds of the CPU. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export const chromiumPath: string | undefined = places.find(existsSync);

/** Throws if the system has no browser. The sandbox is off: it does not start as root, and the pages are our own. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium here: apt-get install chromium');
  return chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}
