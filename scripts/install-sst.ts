import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { version } = readJson(path.join(root, 'node_modules/sst/package.json')) as { version: string };
const cli = path.join(root, 'node_modules/.bin/sst');

/** The providers that `sst install` takes from sst.config.ts. The stack's code uses them as globals. */
const providers = ['aws', 'random'];

/** Where SST's platform is unpacked, about 300 MB of types, components and their dependencies. */
export const platformFolder = path.join(root, '.sst/platform');

export function hasPlatform(): boolean {
  const lock = path.join(root, '.sst/provider-lock.json');
  const marker = path.join(platformFolder, 'version');
  if (!existsSync(lock) || !existsSync(marker) || readFileSync(marker, 'utf8').trim() !== version)
    return false;
  const installed = (readJson(lock) as { alias: string }[]).map(({ alias }) => alias);
  return (
    existsSync(path.join(platformFolder, 'config.d.ts')) &&
    providers.every((name) => installed.includes(name))
  );
}

const quiet = { SST_TELEMETRY_DISABLED: '1', SST_SKIP_DEPENDENCY_CHECK: 'true', SST_NO_BUN: 'true' };

function runSst(folder: string, environment: Record<string, string>, timeout: number): string {
  const done = spawnSync(cli, ['install', '--stage', 'test'], {
    cwd: folder,
    env: { ...process.env, ...quiet, ...environment },
    encoding: 'utf8',
    timeout,
  });
  return done.error ? String(done.error) : `${done.stdout}${done.stderr}`;
}

/** Installs the platform from npm if it is missing, which takes about a minute. `reason` says why it failed. */
function ensurePlatform(): { installed: boolean; reason: string } {
  if (hasPlatform()) return { installed: true, reason: '' };
  const output = runSst(root, {}, 600_000);
  return { installed: hasPlatform(), reason: output.trim() };
}

/** Path of SST's runtime client in JavaScript, which SST's command unpacks without the network. */
export function ensureRuntime(): string {
  const folder = path.join(root, '.sst', `runtime-${version}`);
  const file = path.join(folder, 'index.mjs');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  copyFileSync(findRuntime(), file);
  return file;
}

function findRuntime(): string {
  const runtime = 'dist/nodejs-runtime/index.js';
  if (hasPlatform()) return path.join(platformFolder, runtime);
  const empty = mkdtempSync(path.join(tmpdir(), 'errand-sst-'));
  process.once('exit', () => rmSync(empty, { recursive: true, force: true }));
  writeFileSync(path.join(empty, 'package.json'), '{"name":"errand","private":true}');
  writeFileSync(
    path.join(empty, 'sst.config.ts'),
    "export default $config({ app: () => ({ name: 'errand', home: 'aws' }), async run() {} });",
  );
  // The command unpacks the runtime, and then fails to fetch things that the runtime does not need.
  const output = runSst(empty, { npm_config_offline: 'true' }, 120_000);
  const found = path.join(empty, '.sst/platform', runtime);
  if (!existsSync(found)) throw new Error(`sst ${version} unpacked no runtime client: ${output}`);
  return found;
}

if (import.meta.main) {
  const { installed, reason } = ensurePlatform();
  if (!installed) console.error(`SST's platform could not be installed: the stack is not tested.\n${reason}`);
}
