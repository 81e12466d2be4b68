import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '@errand/admin/testing';
import { readConfig } from '@errand/platform';
import { beforeAll } from 'vitest';
import { type Ground, startGround } from '../../faults/support/ground.ts';

export type Admin = (...line: string[]) => Promise<Record<string, unknown>>;

/** Starts one embedded AWS with the operator's command line on it, for all tests of a file. */
export function useGroundWithAdmin(take: (started: { ground: Ground; admin: Admin }) => void): void {
  beforeAll(async () => {
    const ground = await startGround();
    const { admin, close } = await openAdmin(ground.settings.endpoints);
    take({ ground, admin });
    return async () => {
      await close();
      await ground.close();
    };
  });
}

/** The operator's command line on this AWS. Throws what a refused command says. */
async function openAdmin(
  endpoints: Ground['settings']['endpoints'],
): Promise<{ admin: Admin; close(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-operator-'));
  const service = { pid: process.pid, endpoints };
  await writeFile(path.join(dataDir, 'service.json'), JSON.stringify(service));
  return {
    async admin(...line) {
      let said = '';
      let refused = '';
      const terminal = { out: (text: string) => (said += text), err: (text: string) => (refused += text) };
      const config = () => readConfig('local', { DATA_DIR: dataDir });
      if ((await run([...line, '--json'], terminal, config)) !== 0) throw new Error(refused);
      return JSON.parse(said) as Record<string, unknown>;
    },
    close: () => rm(dataDir, { recursive: true, force: true }),
  };
}
