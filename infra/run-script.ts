import { spawnSync } from 'node:child_process';

/** What a script prints, on the project's own Node, whatever runs SST. The error of a failed script has its stderr. */
export function runScript(name: string, ...args: string[]): string {
  const { root } = $cli.paths;
  const done = spawnSync(`${root}/node_modules/.bin/node`, [`${root}/scripts/${name}`, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.stderr.write(done.stderr ?? '');
  if (done.status !== 0) throw done.error ?? new Error(`scripts/${name}:\n${done.stderr.trim()}`);
  return done.stdout;
}
