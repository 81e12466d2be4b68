import { expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { command, readTable } from './support/command.ts';

let service: TestService;
useServiceAlone(
  (started) => ({ service } = started),
  () => ({ env: { RATE_LIMIT_REQUESTS: '600', AGENTS_ENABLED: 'false' } }),
);

test('a service whose runs are switched off can be deployed: checks of runs are left out, and no other one fails', async () => {
  const { out, status } = await command([], { DATA_DIR: service.dataDir });
  const rows = readTable(out);
  expect(rows.filter(({ result }) => result === 'failed')).toEqual([]);
  const leftOut = rows.filter(({ result }) => result === 'skipped');
  expect(new Set(leftOut.map(({ seen }) => seen))).toEqual(new Set(['runs are switched off']));
  expect(leftOut.map(({ check }) => check)).toContain('a form of 4.4 MB');
  expect(status).toBe(0);
});
