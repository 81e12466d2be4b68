import { readFile } from 'node:fs/promises';
import { checkOut, here } from '../checkouts.ts';
import { measureFunctions } from './functions.ts';
import { measureRequests } from './requests.ts';
import { printLean, printLine, printLines, printVerdict } from './tables.ts';
import { judge } from './verdict.ts';

/** Compares this checkout with the baseline's commit. Ends with exit code 1 if something became dearer. */
export default async function run(): Promise<void> {
  const file = new URL('../baseline.json', import.meta.url);
  const { commit } = JSON.parse(await readFile(file, 'utf8')) as { commit: string };
  const baseline = await checkOut(commit);
  try {
    const roots = { now: here, base: baseline.root };
    const { lean, ...requests } = await measureRequests(roots);
    const functions = await measureFunctions(roots);
    const { lines, noise } = judge({
      times: [...requests.times, ...functions.times],
      counts: [...requests.counts, ...functions.counts],
    });
    printLines(lines);
    printLean(lean);
    printLine(commit, lines, lean);
    printVerdict(lines, noise);
    if (lines.some(({ isDearer }) => isDearer)) process.exitCode = 1;
  } finally {
    await baseline.remove();
  }
}
