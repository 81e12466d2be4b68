import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../bundle-function.ts';
import { buildah, show } from './buildah.ts';

interface BaseName {
  nodeVersion: string;
  debian: string;
}

/** What the Dockerfile's base is: `node:VERSION-SUITE-slim`, with or without a digest. */
export function readBaseName(dockerfile: string): BaseName {
  const [, nodeVersion = '', debian = ''] =
    /^FROM node:([\d.]+)-([a-z]+)-slim(?:@sha256:[0-9a-f]{64})? AS base$/m.exec(dockerfile) ?? [];
  if (nodeVersion === '') throw new Error('The Dockerfile has no line FROM node:VERSION-SUITE-slim AS base.');
  return { nodeVersion, debian };
}

const superfluous = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
];

/**
 * Makes an image in the place of Node's official one: Debian by debootstrap, Node from this project's packages, the npm
 * that runs this, and the user `node`. Needs root, and a mirror of Debian. Returns the image's name.
 */
export function makeBaseImage({ nodeVersion, debian }: BaseName, mirror: string): string {
  const own = JSON.parse(readFileSync(path.join(root, 'node_modules/node/package.json'), 'utf8')).version;
  if (own !== nodeVersion) throw new Error(`The Dockerfile wants Node ${nodeVersion}; installed is ${own}.`);
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('Run this by: npm run image');
  const folder = mkdtempSync(path.join(tmpdir(), 'errand-base-'));
  try {
    const system = path.join(folder, 'root');
    show('debootstrap', '--variant=minbase', debian, system, mirror);
    for (const each of superfluous) rmSync(path.join(system, each), { recursive: true, force: true });
    const local = path.join(system, 'usr/local');
    cpSync(path.join(root, 'node_modules/node/bin/node'), path.join(local, 'bin/node'));
    cpSync(path.resolve(path.dirname(npm), '..'), path.join(local, 'lib/node_modules/npm'), {
      recursive: true,
    });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm'));
    show('chroot', system, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node');
    const archive = path.join(folder, 'root.tar');
    show('tar', '-C', system, '-cf', archive, '.');
    return commit(archive, `localhost/errand-base:${nodeVersion}-${debian}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function commit(archive: string, name: string): string {
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, archive, '/');
  const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
  buildah('config', '--env', `PATH=${folders.join(':')}`, container);
  buildah('commit', '--quiet', '--rm', container, name);
  return name;
}
