import { createAlarms } from './alarms.ts';
import { createApi, routesOf } from './api.ts';
import { buildAssets } from './assets.ts';
import { concurrencyNeeded } from './concurrency.ts';
import { createFunction } from './create-function.ts';
import { createDashboard } from './dashboard.ts';
import { uploadsKey } from './edge.ts';
import { createFiles } from './files.ts';
import { createLargeUploads } from './large-uploads.ts';
import { createQueue } from './queue.ts';
import { createRouter } from './router.ts';
import { runScript } from './run-script.ts';
import { createSecrets } from './secrets.ts';
import { settingsOf } from './settings.ts';
import { createTables } from './tables.ts';
import { createWorker } from './worker.ts';

export function createStack(stage: string) {
  const settings = settingsOf(stage);
  runScript('check-settings.ts', JSON.stringify(settings));
  buildAssets();
  const stores = {
    tables: createTables(settings),
    queue: createQueue(),
    files: createFiles(),
  };
  const secrets = createSecrets(settings);
  const router = createRouter(settings);
  const outer = { settings, stores, secrets, publicUrl: router.url };
  const uploadHost = createLargeUploads(outer);
  const converter = createFunction('converter', outer);
  const surroundings = { ...outer, converter };
  const api = createApi(surroundings);
  router.sendTo({
    ...routesOf(api, secrets.sentOrigin),
    ...(uploadHost && { [uploadsKey]: { host: uploadHost, secret: secrets.origin } }),
  });
  const functions = { ...api, ...createWorker(surroundings), converter };
  if (settings.permanent) {
    createAlarms(settings, stores, functions, router);
    createDashboard(stores, functions);
  }
  const concurrency = concurrencyNeeded(settings);
  return { url: router.url, dns: router.dns, concurrency };
}
