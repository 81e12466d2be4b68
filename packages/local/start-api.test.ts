import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Charge, settleCharge, settleLater } from '@errand/money';
import { readConfig, silentLog, systemClock } from '@errand/platform';
import { createServiceDeps } from '@errand/service';
import { expect, onTestFinished, test } from 'vitest';
import { awsSettings } from './settings.ts';
import { startApi } from './start-api.ts';

test('the API stops only after the charges of its answers are settled', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-api-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const nowhere = { dynamodb: 'http://127.0.0.1:1', sqs: 'http://127.0.0.1:1', s3: 'http://127.0.0.1:1' };
  const parts = createServiceDeps({
    config: { ...readConfig('local', { DATA_DIR: dataDir, PORT: '0' }), aws: awsSettings(nowhere) },
    catalogue: { models: [], roles: {} },
    clock: systemClock,
    log: silentLog,
  });
  const written = Promise.withResolvers<never>();
  let isHeld = false;
  const answer = async () => (isHeld ? written.promise : { output: { $metadata: {} }, response: {} });
  parts.aws.dynamodb.middlewareStack.add(() => answer, { step: 'initialize', name: 'hold' });
  const api = await startApi(parts);
  isHeld = true;
  const deps = {
    ...parts.aws,
    tables: parts.tables,
    clock: Object.assign(() => Date.now(), { startTimer: () => () => {} }),
    log: silentLog,
    deferCharge: async () => {},
  };
  const charge: Charge = {
    id: 'decision_1',
    at: '2026-11-21T12:00:00.000Z',
    kind: 'decision',
    payer: { accountId: 'account_1' },
    model: 'judge',
    amountNanoEuro: 1,
  };
  settleLater(deps, charge.payer.accountId, () => settleCharge(deps, charge));
  let down = false;
  const stopping = api.stop().then(() => {
    down = true;
  });
  await expect
    .poll(() =>
      fetch(`${api.baseUrl}/healthz`).then(
        () => 'up',
        () => 'closed',
      ),
    )
    .toBe('closed');
  expect(down).toBe(false);
  written.reject(new Error('the ledger is gone'));
  await stopping;
});
