import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { listAccounts } from '@errand/accounts';
import { localTableNames } from '@errand/platform';
import { expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { main, readTable } from './support/command.ts';

let service: TestService;
useServiceAlone((started) => ({ service } = started));

test.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a command that gets %s after it has printed its account still closes the account',
  async (signal) => {
    const command = spawn(process.execPath, [main], { env: { DATA_DIR: service.dataDir } });
    let out = '';
    command.stdout.on('data', (bytes) => {
      out += bytes;
    });
    const [told] = await once(command.stderr, 'data');
    const accountId = /account_\w+/.exec(String(told))?.[0];
    command.kill(signal);
    const [status] = await once(command, 'close');
    expect(status).toBe(1);
    expect(readTable(out).at(-1)).toMatchObject({
      result: 'passed',
      seen: expect.stringContaining(`account ${accountId} frozen`),
    });
    await expectClosed(accountId);
  },
);

test.concurrent('a command whose reader goes away after a line ends its checks and still closes its account', async () => {
  const command = spawn(process.execPath, [main], { env: { DATA_DIR: service.dataDir } });
  const closed = once(command, 'close');
  const [told] = await once(command.stderr, 'data');
  await once(command.stdout, 'data');
  command.stdout.destroy();
  // Checks that went on would all pass.
  expect((await closed)[0]).toBe(1);
  await expectClosed(/account_\w+/.exec(String(told))?.[0]);
});

async function expectClosed(accountId: string | undefined): Promise<void> {
  const accounts = await listAccounts({ dynamodb: service.clients.dynamodb, tables: localTableNames });
  const made = accounts.find((account) => account.accountId === accountId);
  expect(made).toMatchObject({ balanceNanoEuro: 0, frozenAt: expect.any(String) });
}
