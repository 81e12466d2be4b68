import { createKey } from '@errand/accounts';
import { type KeyLimits, localTableNames, systemClock } from '@errand/platform';
import { type StandIns, startStandIns } from '@errand/stand-ins';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Provider, startProvider } from '../../support/model-server.ts';
import { simpleCatalogue, startTestService, type TestService } from '../../support/service.ts';
import { type ConsoleServer, serveConsole } from './serve-console.ts';

export interface House {
  service: TestService;
  models: Provider;
  console: ConsoleServer;
  /** Has the service's clock show another time; the true one if none is given. */
  setClock(time?: number): void;
  /** Another key of the first account, with limits. */
  newKey(limits: KeyLimits): Promise<string>;
  /** A page of its own browser profile, signed in unless told otherwise. */
  open(place?: string, options?: OpenOptions): Promise<Page>;
  closePages(): Promise<void>;
  close(): Promise<void>;
}

interface OpenOptions {
  /** The empty text leaves the visitor at the door. */
  key?: string;
  scheme?: 'light' | 'dark';
  width?: number;
}

/** The whole service in this process with scripted models, and a real browser in front of its console. */
export async function startHouse(browser: Browser): Promise<House> {
  const [models, standIns] = await Promise.all([startProvider(), startStandIns({ host: '127.0.0.1' })]);
  let time: number | undefined;
  const service = await startTestService({
    catalogue: catalogueOf(models, standIns),
    clock: () => time ?? Date.now(),
  });
  const server = await serveConsole(service.baseUrl);
  const closePages = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return {
    ...{ service, models, console: server },
    setClock: (given) => {
      time = given;
    },
    newKey: async (limits) => {
      const store = { dynamodb: service.clients.dynamodb, tables: localTableNames, clock: systemClock };
      return (await createKey(store, { accountId: service.accountId, label: 'limited', limits })).key;
    },
    open: (place = '', options = {}) =>
      openPage(browser, server.url, place, { key: service.apiKey, ...options }),
    closePages,
    async close() {
      await closePages();
      await server.close();
      await service.stop();
      await Promise.all([models.close(), standIns.close()]);
    },
  };
}

const catalogueOf = (models: Provider, standIns: StandIns) => ({
  ...simpleCatalogue(models.baseUrl, {
    models: [
      {
        id: 'judge',
        kind: 'decision',
        engine: 'systemone',
        description: 'A stand-in that weighs words.',
        upstream: { baseUrl: standIns.decisionBaseUrl, model: 'stand-in-decision' },
        price: { inputPerMillionTokens: 0.1, outputPerMillionTokens: 0 },
        contextTokens: 16_384,
        energy: { watts: 300, batch: 8, pue: 1.2 },
      },
    ],
    roles: { decision: 'judge' },
  }),
  mcpServers: [
    { name: 'stock', url: 'https://tools.example.com/mcp', allowedTools: ['pieces'], accounts: 'all' },
  ],
});

async function openPage(
  browser: Browser,
  url: string,
  place: string,
  { key, scheme = 'light', width = 1240 }: OpenOptions,
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 860 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  if (key) await context.addInitScript(`sessionStorage.setItem('errand.key', ${JSON.stringify(key)})`);
  const page = await context.newPage();
  // Other work on the machine makes pages slower, and must fail no test.
  page.setDefaultTimeout(120_000);
  await page.goto(`${url}#${place}`);
  return page;
}
