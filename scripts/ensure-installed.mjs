// Runs before anything is installed, on the system's own Node (20.19 or newer): no dependencies, no TypeScript.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or newer is needed to install the project; this is ${process.versions.node}.`);
  process.exit(1);
}

const packagesOf = (file) => {
  const full = path.join(root, file);
  return existsSync(full) ? JSON.parse(readFileSync(full, 'utf8')).packages : undefined;
};
const wanted = packagesOf('package-lock.json');
const installed = packagesOf('node_modules/.package-lock.json');
const missing = Object.entries(wanted).filter(
  ([name, entry]) =>
    name.startsWith('node_modules/') &&
    !entry.optional &&
    (entry.link ? !existsSync(path.join(root, name)) : installed?.[name]?.version !== entry.version),
);

const npm = (...args) => {
  const done = spawnSync('npm', [...args, '--loglevel=error'], {
    cwd: root,
    // stdout belongs to the command that follows (`npm run -s admin -- ... --json` prints one JSON document).
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
};

if (!installed || missing.length > 0 || !existsSync(path.join(root, 'node_modules/node/bin/node'))) {
  console.error('Installing dependencies...');
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
  // The one package that is nothing without its install script, which fetches the binary of this Node.
  npm('rebuild', 'node');
}
