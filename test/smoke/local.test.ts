import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { listAccounts, listKeys } from '@errand/accounts';
import { itemKeys, readStoredPurse } from '@errand/money';
import { limits, localTableNames } from '@errand/platform';
import { checks, neededRequests, prefixes } from '@errand/smoke';
import { beforeAll, expect, test } from 'vitest';
import { functionShapes, runStreamsPath } from '../../infra/functions.ts';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { command, type Ended, readTable, withoutWaiting } from './support/command.ts';
import { checksOnPage, updatePage } from './support/page.ts';

const lastChecks = ['the cost', 'nothing is left behind'];

let service: TestService;
let ended: Ended;
/** The rate window in which the checks began, and the one in which they ended. */
const windows: number[] = [];
const windowNow = (): number => Math.floor(Date.now() / 1000 / limits.windowSeconds);
useServiceAlone(
  (started) => ({ service } = started),
  () => ({ env: { RATE_LIMIT_REQUESTS: '600' } }),
);
beforeAll(async () => {
  windows.push(windowNow());
  ended = await command([], { DATA_DIR: service.dataDir });
  windows.push(windowNow());
  await updatePage('local', ended.out);
});

test('a local service passes every check', () => {
  const rows = readTable(ended.out);
  expect(rows.filter(({ result }) => result !== 'passed')).toEqual([]);
  expect(rows.map(({ check }) => check)).toEqual([...checks.map(({ name }) => name), ...lastChecks]);
  expect(ended.status).toBe(0);
  expect(withoutWaiting(ended)).toMatch(/^The checks have an account of their own, account_\w+\.\n$/);
});

test('the page has a row for each check', async () => {
  const names = readTable(ended.out).map(({ check }) => check);
  expect(await checksOnPage('local')).toEqual(names);
  expect(await checksOnPage('edge')).toEqual(names);
});

test('the checks send no more requests than the check of the rate window asks for, and not many fewer', async () => {
  const store = { dynamodb: service.clients.dynamodb, tables: localTableNames };
  const [, made] = await listAccounts(store);
  const purse = await readStoredPurse(store, itemKeys.balance(made?.accountId ?? ''));
  const sent = [...purse.windows.values()].reduce((sum, count) => sum + count, 0);
  expect(sent).toBeLessThanOrEqual(neededRequests);
  // The purse forgets a window that has ended: of checks that went into the next one it knows a part.
  const [began, over] = windows;
  expect(sent).toBeGreaterThan(began === over ? 0.8 * neededRequests : 0);
});

test('the checks cost less than five cents', () => {
  const cost = readTable(ended.out).find(({ check }) => check === 'the cost');
  expect(Number.parseFloat(cost?.seen ?? '')).toBeGreaterThan(0);
  expect(Number.parseFloat(cost?.seen ?? '')).toBeLessThan(0.05);
});

test('nothing of the checks is left in the store but their account, frozen and empty, its counts of nothing, and the marks of a used upload, which expire', async () => {
  const { dynamodb } = service.clients;
  for (const table of [localTableNames.runs, localTableNames.skills, localTableNames.values]) {
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: table }));
    expect(Items.filter(({ pk, things }) => !String(pk).startsWith('UPLOAD') && things !== 0)).toEqual([]);
  }
  const store = { dynamodb, tables: localTableNames };
  const [first, made, ...others] = await listAccounts(store);
  expect([first?.accountId, others]).toEqual([service.accountId, []]);
  expect(made).toMatchObject({ name: 'smoke', balanceNanoEuro: 0, frozenAt: expect.any(String) });
  const keys = await listKeys(store, made?.accountId ?? '');
  expect(keys.map(({ revokedAt }) => revokedAt)).toEqual([expect.any(String), expect.any(String)]);
  for (const { limits } of keys) {
    expect(limits?.budget).toEqual({ amountNanoEuro: 2_000_000_000, period: 'total' });
    const lastsMilliseconds = Date.parse(limits?.expiresAt ?? '') - Date.parse(made?.createdAt ?? '');
    expect(Math.round(lastsMilliseconds / 60_000)).toBe(120);
  }
});

test('each prefix of each function has a path that the checks ask for', () => {
  const paths = Object.entries(functionShapes).flatMap(([area, { paths }]) =>
    paths.map((path) => ({ area, path })),
  );
  // A run's stream has the same answers from any function, unless there is a run: the checks of runs ask for it.
  const missing = paths
    .filter(({ path }) => path !== runStreamsPath)
    .filter(
      ({ area, path }) => !prefixes.some((asked) => asked.area === area && asked.path.startsWith(path)),
    );
  expect(missing).toEqual([]);
});
