import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { delay } from '@errand/platform';
import type { PartName } from './fleet.ts';
import { runStorm, type StormReport, type Weather } from './storm.ts';

const usage = 'usage: npm run storm [-- --runs 400 --minutes 6] (it takes four minutes at least)';
const outageSeconds = [8, 180];
const hangSeconds = 20;
const fullDiskSeconds = 8;
const clockBackMilliseconds = 2 * 60 * 60 * 1000;
const diskMegabytes = 256;

/** Ends parts at random moments. Most are killed, some are asked. */
async function killFor({ fleet }: Weather, milliseconds: number): Promise<void> {
  const parts: PartName[] = ['worker', 'worker', 'worker', 'api', 'api', 'aws'];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    await delay(1_000 + Math.random() * 4_000);
    const part = parts[Math.floor(Math.random() * parts.length)]!;
    fleet.end(part, Math.random() < 0.7 ? 'SIGKILL' : 'SIGTERM');
  }
}

async function fillDisk(dataDir: string): Promise<void> {
  const filler = path.join(dataDir, 'filler');
  const { bavail, bsize } = await statfs(dataDir);
  const file = await open(filler, 'w');
  await file.write(Buffer.alloc(bavail * bsize)).catch(() => {});
  // The write may have been cut short.
  for (const size of [1024 * 1024, 4096, 1]) {
    const piece = Buffer.alloc(size);
    while (
      await file.write(piece).then(
        ({ bytesWritten }) => bytesWritten === size,
        () => false,
      )
    );
  }
  await file.close();
  await delay(fullDiskSeconds * 1000);
  await rm(filler);
}

/** Runs the storm in a mount namespace, where any user may make a disk that can be filled. Returns its exit status. */
function runInNamespace(): number {
  const words = ['-rm', process.execPath, ...process.argv.slice(1)];
  const env = { ...process.env, [namespaceVariable]: 'yes' };
  return spawnSync('unshare', words, { stdio: 'inherit', env }).status ?? 1;
}

const namespaceVariable = 'STORM_NAMESPACE';
const isInNamespace = process.env[namespaceVariable] !== undefined;
const canMakeDisks = isInNamespace || spawnSync('unshare', ['-rm', 'true']).status === 0;

/** Makes a small disk, which ends with the namespace. */
function makeDisk(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'errand-storm-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', folder]);
  return folder;
}

interface Given {
  runs: number;
  minutes: number;
}

/** Undefined if the arguments are wrong. */
function readArguments(): Given | undefined {
  const number = (text: string | undefined, fallback: number) => Number(text ?? fallback);
  try {
    const { values } = parseArgs({ options: { runs: { type: 'string' }, minutes: { type: 'string' } } });
    const given = { runs: number(values.runs, 400), minutes: number(values.minutes, 6) };
    return Number.isInteger(given.runs) && given.runs > 0 && given.minutes >= 0 ? given : undefined;
  } catch {
    return undefined;
  }
}

async function main({ runs, minutes }: Given): Promise<boolean> {
  const disk = isInNamespace ? makeDisk() : undefined;
  if (!disk) console.log('The disk will not be filled: this system has no namespaces for users.');
  const report = await runStorm({
    runs,
    accounts: 4,
    chatters: 4,
    leaseSeconds: 5,
    patienceMilliseconds: 10 * 60_000,
    folder: disk || undefined,
    async blow(weather) {
      const say = (what: string) => console.log(`${new Date().toISOString()} ${what}`);
      say(`Killing parts for ${minutes} minutes.`);
      const killing = killFor(weather, minutes * 60_000);
      for (const seconds of outageSeconds) {
        await delay(5_000);
        say(`The provider fails for ${seconds} s.`);
        await weather.provider.failFor(seconds * 1000);
      }
      say(`An upstream hangs for ${hangSeconds} s.`);
      await weather.provider.hangFor(hangSeconds * 1000);
      if (disk) {
        say(`The disk is full for ${fullDiskSeconds} s.`);
        await fillDisk(weather.dataDir);
      }
      await killing;
      say('Every part is killed, and the clock set back by two hours.');
      await weather.fleet.setClock(-clockBackMilliseconds);
    },
  });
  console.log(JSON.stringify(report, null, 2));
  return isCalm(report);
}

const isCalm = (report: StormReport): boolean =>
  report.chargesMissing === 0 &&
  report.doubled === 0 &&
  [
    report.lost,
    report.stuck,
    report.failed,
    report.wrong,
    report.wronglyCharged,
    report.problems,
    report.orderedTwice,
    report.unasked,
    report.untold,
    report.strayLines,
  ].every(({ length }) => length === 0);

const given = readArguments();
if (!given) {
  console.error(usage);
  process.exit(2);
}
if (canMakeDisks && !isInNamespace) process.exit(runInNamespace());
process.exit((await main(given)) ? 0 : 1);
