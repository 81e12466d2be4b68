import { createAlarms, silenceOf } from './alarms.ts';
import { createApi, routesOf } from './api.ts';
import { buildAssets } from './assets.ts';
import { createBackups } from './backups.ts';
import { createBudget } from './budget.ts';
import { createChatContainer } from './chat-container.ts';
import { fitConcurrency } from './concurrency.ts';
import { createFunction } from './create-function.ts';
import { createDashboard } from './dashboard.ts';
import { uploadsKey } from './edge.ts';
import { createEdgeLogs } from './edge-logs.ts';
import { createFiles } from './files.ts';
import { createFirewall } from './firewall.ts';
import { createLargeUploads } from './large-uploads.ts';
import { createNetwork } from './network.ts';
import { createQueue } from './queue.ts';
import { createRouter } from './router.ts';
import { runScript } from './run-script.ts';
import { createSchedules } from './schedules.ts';
import { createSecrets } from './secrets.ts';
import { type Settings, settingsOf } from './settings.ts';
import { createTables } from './tables.ts';
import { createWorker } from './worker.ts';
import { createWorkerContainer } from './worker-container.ts';

export function createStack(stage: string) {
  const settings = settingsOf(stage);
  const concurrency = fitConcurrency(settings, checkSettings(stage, settings));
  buildAssets();
  const stores = {
    tables: createTables(settings),
    queue: createQueue(),
    files: createFiles(settings),
  };
  createBackups(settings, stores.tables);
  const secrets = createSecrets(settings);
  const router = createRouter(settings, { webAclId: createFirewall(settings) });
  const outer = { settings, stores, secrets, publicUrl: router.url };
  const network = createNetwork(settings);
  const uploadHost = createLargeUploads(outer, network);
  const converter = createFunction('converter', outer);
  const surroundings = { ...outer, converter };
  const api = createApi(surroundings);
  const chat = createChatContainer(surroundings, network);
  const routes = routesOf(api, secrets.sentOrigin);
  router.sendTo({
    ...routes,
    ...(chat && { chat: { ...routes.chat, secret: secrets.sentOrigin, host: chat.host } }),
    ...(uploadHost && { [uploadsKey]: { host: uploadHost, secret: secrets.origin } }),
  });
  const functions = {
    ...api,
    ...createWorker(surroundings, concurrency),
    schedules: createSchedules(surroundings),
    converter,
  };
  createWorkerContainer(surroundings, network);
  if (settings.permanent) {
    createAlarms(settings, { stores, functions, balancer: chat?.balancer }, router);
    createDashboard(settings, stores, functions);
  }
  createBudget(settings);
  createEdgeLogs(settings, router.distributionArn);
  const alarms = silenceOf(settings);
  if (alarms) console.warn(alarms);
  const { words } = concurrency;
  return {
    url: router.url,
    ...(router.dns && { dns: router.dns }),
    ...(words && { concurrency: words }),
    ...(alarms && { alarms }),
    // Whoever has SST deploy by itself would wait in vain for the new code.
    ...(!$dev && {
      live: `New versions serve callers once npm run deploy -- --stage ${stage} has checked them.`,
    }),
  };
}

/** Throws with all that is wrong, before anything is made. Returns how much of the account's concurrency is free, if it is known. */
function checkSettings(stage: string, settings: Settings): number | undefined {
  const printed = runScript('check-settings.ts', stage, JSON.stringify(settings));
  return (JSON.parse(printed) as { concurrency?: { free: number } }).concurrency?.free;
}
