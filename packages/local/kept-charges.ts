import { mkdir, readdir, readFile, rm, stat, statfs, truncate } from 'node:fs/promises';
import path from 'node:path';
import { applyCharge, type Charge } from '@errand/money';
import { describeError, type Log } from '@errand/platform';
import { writePrivate } from './data-folder.ts';
import { isDiskFull } from './start-error.ts';
import type { Stoppable } from './stoppable.ts';

const retryMilliseconds = 5_000;

const folderIn = (dataDir: string) => path.join(dataDir, 'charges');

/** Keeps charges that could not be written. */
interface ChargeKeeper extends Stoppable {
  keep(charge: Charge): Promise<void>;
}

/**
 * Keeps charges in the data folder. The embedded queue would lose them: it ends with the same process as the store.
 * On a full disk, the first charges use room that was reserved. Further charges are held by this process until
 * there is room again, and are tried once more when the process stops.
 */
export function createChargeKeeper(dataDir: string, log: Log): ChargeKeeper {
  const folder = folderIn(dataDir);
  const held = new Map<string, Charge>();
  const tryToStore = async (charge: Charge) => {
    try {
      await store(folder, charge);
      held.delete(charge.id);
    } catch (error) {
      log.warn('charge not kept', { charge: charge.id, ...describeError(error) });
    }
  };
  const storeHeld = async () => {
    for (const charge of held.values()) await tryToStore(charge);
    if (held.size === 0) await reserve(folder);
  };
  const timer = setInterval(() => void storeHeld(), retryMilliseconds);
  timer.unref();
  void reserve(folder);
  return {
    async keep(charge) {
      held.set(charge.id, charge);
      await tryToStore(charge);
    },
    async stop() {
      clearInterval(timer);
      await storeHeld();
    },
  };
}

async function store(folder: string, charge: Charge): Promise<void> {
  for (;;)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await writePrivate(path.join(folder, `${charge.id}.json`), JSON.stringify(charge));
    } catch (error) {
      if (!isDiskFull(error) || !(await giveUpReserve(folder))) throw error;
    }
}

/**
 * Room for about 100 charges on a full disk. A file takes a whole block, however short it is, and other programs
 * may take the next block.
 */
const reserveBytes = 1024 * 1024;
const stepBytes = 8 * 1024;
/** On a disk that is nearly full, the rest of it is for others. */
const leastRoomBytes = 4 * reserveBytes;

const reserveIn = (folder: string) => path.join(folder, 'reserve');

/** Takes room while there is some. */
async function reserve(folder: string): Promise<void> {
  try {
    const { size } = await stat(reserveIn(folder)).catch(() => ({ size: 0 }));
    if (size >= reserveBytes) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < leastRoomBytes) return;
    await writePrivate(reserveIn(folder), '\0'.repeat(reserveBytes));
  } catch {
    // The room that is reserved already stays reserved.
  }
}

/** Gives a piece of the reserve back to the disk. False if nothing is left of it. */
async function giveUpReserve(folder: string): Promise<boolean> {
  const { size } = await stat(reserveIn(folder)).catch(() => ({ size: 0 }));
  if (size === 0) return false;
  await truncate(reserveIn(folder), Math.max(0, size - stepBytes));
  return true;
}

type WriteDeps = Parameters<typeof applyCharge>[0] & { log: Log };

/** Writes the charges that are kept in the data folder, now and whenever there are some. Failures are tried again. */
export async function startWritingKept(dataDir: string, deps: WriteDeps): Promise<Stoppable> {
  let writing = writeKept(dataDir, deps);
  await writing;
  const timer = setInterval(() => {
    writing = writing.then(() => writeKept(dataDir, deps));
  }, retryMilliseconds);
  return {
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

async function writeKept(dataDir: string, deps: WriteDeps): Promise<void> {
  const folder = folderIn(dataDir);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const file = path.join(folder, name);
    try {
      const charge = JSON.parse(await readFile(file, 'utf8')) as Charge;
      await applyCharge(deps, charge);
      await rm(file);
      deps.log.info('kept charge written', { charge: charge.id });
    } catch (error) {
      deps.log.warn('kept charge not written', { file: name, ...describeError(error) });
    }
  }
}
