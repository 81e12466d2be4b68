import { localTableNames, systemClock } from '@errand/platform';
import {
  checks,
  cost,
  createScene,
  makeAccount,
  type Scene,
  savingRun,
  smoke,
  takeAway,
} from '@errand/smoke';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { type Breakable, startBreakable } from './support/breakable.ts';
import { brokenServices } from './support/breakages/index.ts';

const known = [...checks, cost];

let breakable: Breakable;
let service: TestService;
let secondKey: string;
let shared: Scene;
beforeAll(async () => {
  breakable = await startBreakable();
  service = await startTestService({ env: { PUBLIC_URL: breakable.baseUrl } });
  breakable.forwardTo(service.baseUrl);
  secondKey = (await service.newAccount()).key;
  shared = newScene();
  await savingRun(shared);
});
afterAll(async () => {
  await service?.stop();
  await breakable?.close();
});

const newScene = () => createScene({ baseUrl: breakable.baseUrl, key: service.apiKey, secondKey });

async function perform(name: string, scene: Scene) {
  const check = known.find((each) => each.name === name);
  if (!check) throw new Error(`no check ${name}`);
  const [row] = await smoke(scene, [check]);
  return row;
}

/** Long enough for the checks that wait for charges which never come. */
const longestMilliseconds = 90_000;

describe('a service that', () => {
  test.each(brokenServices)(
    '$what fails "$check"',
    { timeout: longestMilliseconds },
    async ({ check, seen, breakage, ownScene, hidesCharges }) => {
      const scene = ownScene ? newScene() : shared;
      breakable.break(breakage(service.apiKey));
      const row = await perform(check, hidesCharges ? { ...scene, settleMilliseconds: 1_000 } : scene);
      breakable.break(undefined);
      expect(row).toMatchObject({ result: 'failed', seen: expect.stringMatching(seen) });
    },
  );

  test('does not delete what it says it has deleted leaves something behind', async () => {
    breakable.break({
      request: (sent) =>
        sent.method === 'DELETE' ? { status: 204, headers: {}, body: Buffer.alloc(0) } : sent,
    });
    await expect(takeAway(shared)).rejects.toThrow(/DELETE .*: 204, and GET after it: 200/);
    breakable.break(undefined);
    expect(await takeAway(shared)).toMatch(/runs, .* gone/);
  });

  test('loses the answer to a creation leaves a run behind, which is found', async () => {
    const scene = newScene();
    breakable.break({
      of: ({ method, path }) => method === 'POST' && path === '/v1/agents/runs',
      answer: () => ({ status: 502, headers: {}, body: Buffer.from('lost') }),
    });
    expect(await perform('a run, cancelled', scene)).toMatchObject({ result: 'failed' });
    breakable.break(undefined);
    expect(scene.traces.runs.size).toBe(0);
    expect(await takeAway(scene)).toMatch(/^1 run, /);
  });

  test('goes on to take a revoked key leaves a key behind', async () => {
    const { dynamodb } = service.clients;
    const account = await makeAccount({ dynamodb, tables: localTableNames, clock: systemClock }, 1);
    breakable.break({
      request: (sent) => ({
        ...sent,
        headers: { ...sent.headers, authorization: `Bearer ${service.apiKey}` },
      }),
    });
    await expect(account.close(shared, 0)).rejects.toThrow('a key that is revoked for 0 s is answered 200');
    breakable.break(undefined);
  });
});

test('each check has a service that fails it', () => {
  const failed = new Set(brokenServices.map(({ check }) => check));
  expect(known.map(({ name }) => name).filter((name) => !failed.has(name))).toEqual([]);
});

test('the check of two keys is skipped if there is only one key', async () => {
  const { secondKey: _none, ...rest } = shared;
  expect(await perform('two keys on one path at once', rest)).toMatchObject({ result: 'skipped' });
});
