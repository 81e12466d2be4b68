import { localTableNames, systemClock } from '@errand/platform';
import { checks, createScene, leaving, makeAccount, smoke } from '@errand/smoke';
import { expect, test } from 'vitest';
import { startTestService } from '../support/service.ts';

const dying = async () => {
  const service = await startTestService();
  const store = { dynamodb: service.clients.dynamodb, tables: localTableNames, clock: systemClock };
  const account = await makeAccount(store, 2, { stage: 'production' });
  const scene = createScene({ baseUrl: service.baseUrl, key: account.keys[0] ?? '' });
  return { service, account, scene };
};

test('the account, its keys, all runs and the command that freezes the account are named if a service dies', async () => {
  const { service, account, scene } = await dying();
  await smoke(
    scene,
    checks.filter(({ name }) => ['a run, cancelled', '100 cancels at once'].includes(name)),
  );
  const [first, second] = scene.traces.runs;
  await service.stop();
  const [row] = await smoke(scene, [leaving(scene, account)]);
  expect(row).toMatchObject({ check: 'nothing is left behind', result: 'failed' });
  expect(row?.seen).toMatch(
    new RegExp(`may be left: .*run ${first}, run ${second} \\(Error connect ECONNREFUSED [^;]*\\); `),
  );
  expect(row?.seen).toMatch(
    /account (account_\w+) with key_\w+, key_\w+ is left \(.*ECONNREFUSED.*\): npm run -s admin -- account freeze \1 --stage production$/,
  );
});
