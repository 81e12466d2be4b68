import { existsSync } from 'node:fs';
import path from 'node:path';

const here = path.resolve(import.meta.dirname, '../..');

/** The absolute path of another checkout of this project. Throws unless it has node_modules of its own. */
export function otherCheckout(folder: string): string {
  const absolute = path.resolve(folder);
  if (!existsSync(path.join(absolute, 'node_modules')))
    throw new Error(`${absolute} is no checkout with its node_modules`);
  return absolute;
}

/** The checkouts that a benchmark measures by name: the other one first if there is one, then this one. */
export const checkouts = (against: string | undefined): { name: string; root: string }[] => [
  ...(against === undefined ? [] : [{ name: 'before', root: otherCheckout(against) }]),
  { name: 'now', root: here },
];
