import { execFileSync } from 'node:child_process';

// It needs no runtime of containers, no cgroups and no network of its own.
process.env.BUILDAH_ISOLATION ??= 'chroot';

/** Runs a command and returns what it prints. Its errors go to the terminal. Throws if it fails. */
export const run = (command: string, ...parameters: string[]): string =>
  execFileSync(command, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

export const buildah = (...parameters: string[]): string => run('buildah', ...parameters);

/** Runs a command that shows the terminal what it does. */
export function show(command: string, ...parameters: string[]): void {
  execFileSync(command, parameters, { stdio: ['ignore', 2, 2] });
}
