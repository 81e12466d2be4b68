import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { applyCharge, type Charge } from '@errand/accounts';
import { describeError, type Log } from '@errand/platform';
import { writePrivate } from './data-folder.ts';
import type { Stoppable } from './stoppable.ts';

const retryMilliseconds = 5_000;

const folderIn = (dataDir: string) => path.join(dataDir, 'charges');

/** Keeps charges that could not be written. */
export interface ChargeKeeper extends Stoppable {
  keep(charge: Charge): Promise<void>;
}

/**
 * Keeps charges in the data folder. The embedded queue would lose them: it ends with the same process as the store.
 * Where the disk is full, this process holds them until there is room, and tries once more when it stops.
 */
export function createChargeKeeper(dataDir: string, log: Log): ChargeKeeper {
  const held = new Map<string, Charge>();
  const store = async (charge: Charge) => {
    const folder = folderIn(dataDir);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writePrivate(path.join(folder, `${charge.id}.json`), JSON.stringify(charge));
    held.delete(charge.id);
  };
  const storeHeld = async () => {
    for (const charge of held.values())
      await store(charge).catch((error: unknown) =>
        log.warn('charge not kept', { charge: charge.id, ...describeError(error) }),
      );
  };
  const timer = setInterval(() => void storeHeld(), retryMilliseconds);
  timer.unref();
  return {
    async keep(charge) {
      held.set(charge.id, charge);
      await store(charge).catch((error: unknown) =>
        log.warn('charge not kept', { charge: charge.id, ...describeError(error) }),
      );
    },
    async stop() {
      clearInterval(timer);
      await storeHeld();
    },
  };
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
