import { createAccount, createKey } from '@errand/accounts';
import { localTableNames, systemClock } from '@errand/platform';
import { checks } from '@errand/smoke';
import { type StandIns, startStandIns } from '@errand/stand-ins';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalEdge, startLocalEdge } from '../../support/lambda/local-edge.ts';
import { canEvaluate, evaluate, evaluationMilliseconds } from '../../support/sst/stack.ts';
import { standInCatalogue } from '../../support/stand-in-catalogue.ts';
import { command, type Ended, readTable, withoutWaiting } from '../support/command.ts';
import { updatePage } from '../support/page.ts';

describe.skipIf(!canEvaluate)('a stage behind its edge', () => {
  let standIns: StandIns;
  let edge: LocalEdge;
  let ended: Ended;
  beforeAll(async () => {
    const stack = await evaluate('somebody');
    standIns = await startStandIns({ host: '127.0.0.1' });
    edge = await startLocalEdge({
      stack,
      catalogue: standInCatalogue(standIns),
      processes: { agents: 2, chat: 2 },
      streamMilliseconds: 1_000,
    });
    const { clients, apiKey } = edge.cloud;
    const store = { dynamodb: clients.dynamodb, tables: localTableNames, clock: systemClock };
    const { accountId } = await createAccount(store, { name: 'second', creditsNanoEuro: 0 });
    const { key } = await createKey(store, { accountId, label: 'second' });
    ended = await command([edge.baseUrl, '--container', 'off'], {
      ERRAND_API_KEY: apiKey,
      ERRAND_SECOND_API_KEY: key,
    });
    await updatePage('edge', ended.out);
  }, evaluationMilliseconds);
  afterAll(async () => {
    await edge?.stop();
    await standIns?.close();
  });

  test('passes every check', () => {
    const rows = readTable(ended.out);
    expect(rows.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(rows.length).toBe(checks.length + 2);
    expect([ended.status, withoutWaiting(ended)]).toEqual([0, '']);
  });

  test('ends a stream of a run before the run ends, and carries it on by id', () => {
    const row = readTable(ended.out).find(({ check }) => check === 'a run, created and streamed');
    expect(row?.seen).toMatch(/streams: ([2-9]|\d\d),/);
  });

  test('refuses a form of 20 MB where there is no container', () => {
    const row = readTable(ended.out).find(({ check }) => check === 'a form of 20 MB');
    expect(row?.seen).toContain('413');
  });

  test('sends nothing that the permissions of its functions do not allow', () => {
    const refused = [...edge.functions.values()].flat().flatMap((each) => each.refused());
    expect(refused).toEqual([]);
  });
});
