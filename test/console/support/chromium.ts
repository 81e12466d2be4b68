import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));

/** Why tests of a browser cannot run here; undefined if they can. */
export const withoutChromium: string | undefined = executablePath
  ? undefined
  : 'there is no /usr/bin/chromium on this machine (Debian: apt-get install chromium)';

export function openChromium(): Promise<Browser> {
  if (!executablePath) throw new Error(withoutChromium);
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-lcd-text'],
  });
}
