import { createAlarms } from './alarms.ts';
import { createApi } from './api.ts';
import { buildAssets } from './assets.ts';
import { createBackups } from './backups.ts';
import { fitConcurrency } from './concurrency.ts';
import { createFunction } from './create-function.ts';
import { createDashboard } from './dashboard.ts';
import { createFiles } from './files.ts';
import { createLargeUploads } from './large-uploads.ts';
import { createQueue } from './queue.ts';
import { createRouter } from './router.ts';
import { runScript } from './run-script.ts';
import { createSecrets } from './secrets.ts';
import { type Settings, settingsOf } from './settings.ts';
import { createTables } from './tables.ts';
import { createWorker } from './worker.ts';

export function createStack(stage: string) {
  const settings = settingsOf(stage);
  const concurrency = fitConcurrency(settings, checkSettings(stage, settings));
  buildAssets();
  const stores = {
    tables: createTables(settings),
    queue: createQueue(),
    files: createFiles(),
  };
  createBackups(settings, stores.tables);
  const secrets = createSecrets(settings);
  const router = createRouter(settings, secrets);
  const outer = { settings, stores, secrets, publicUrl: router.url };
  createLargeUploads(outer);
  const converter = createFunction('converter', outer);
  const surroundings = { ...outer, converter };
  const functions = {
    ...createApi(surroundings, router),
    ...createWorker(surroundings, concurrency),
    converter,
  };
  if (settings.permanent) {
    createAlarms(settings, stores, functions, router);
    createDashboard(stores, functions);
  }
  return { url: router.url, concurrency: concurrency.words };
}

/** Throws with all that is wrong, before anything is made. Returns how much of the account's concurrency is free, if it is known. */
function checkSettings(stage: string, settings: Settings): number | undefined {
  const printed = runScript('check-settings.ts', stage, JSON.stringify(settings));
  return (JSON.parse(printed) as { concurrency?: { free: number } }).concurrency?.free;
}
