import { createAlarms, silenceOf } from './alarms.ts';
import { createApi, hostsOf } from './api.ts';
import { buildAssets } from './assets.ts';
import { createBudget } from './budget.ts';
import { concurrencyNeeded } from './concurrency.ts';
import { createFunction } from './create-function.ts';
import { createDashboard } from './dashboard.ts';
import { uploadsKey } from './edge.ts';
import { createFiles } from './files.ts';
import { createFirewall } from './firewall.ts';
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
  const router = createRouter(settings, { webAclId: createFirewall(settings) });
  const outer = { settings, stores, secrets, publicUrl: router.url };
  const uploadHost = createLargeUploads(outer);
  const converter = createFunction('converter', outer);
  const surroundings = { ...outer, converter };
  const api = createApi(surroundings);
  router.sendTo({ ...hostsOf(api), ...(uploadHost && { [uploadsKey]: uploadHost }) }, secrets.origin);
  const functions = { ...api, ...createWorker(surroundings), converter };
  if (settings.permanent) {
    createAlarms(settings, stores, functions, router);
    createDashboard(stores, functions);
  }
  createBudget(settings);
  const alarms = silenceOf(settings);
  if (alarms) console.warn(alarms);
  const concurrency = concurrencyNeeded(settings);
  return {
    url: router.url,
    ...(router.dns && { dns: router.dns }),
    ...(concurrency && { concurrency }),
    ...(alarms && { alarms }),
  };
}
