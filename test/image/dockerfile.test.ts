import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { readConfig } from '@errand/platform';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { readBaseName } from '../../scripts/image/base-image.ts';
import { imageEnvironment, isLetIn, last, read, root, said, stages } from './read-dockerfile.ts';

const manifest = JSON.parse(read('package.json'));
const command: string[] = JSON.parse(said(last, 'CMD')[0] ?? '');

test('the base has the Node that the project is tested on', () => {
  expect(readBaseName(read('Dockerfile')).nodeVersion).toBe(manifest.devDependencies.node);
  expect(() => readBaseName('FROM node:latest AS base')).toThrow('no line FROM node:VERSION-SUITE-slim');
});

test('every path that is copied exists, and .dockerignore lets it in', () => {
  const copied = stages
    .flatMap((steps) => said(steps, 'COPY'))
    .filter((rest) => !rest.startsWith('--from='))
    .flatMap((rest) => rest.split(' ').slice(0, -1));
  expect(copied).toContain('packages');
  for (const file of copied) {
    expect(existsSync(path.join(root, file)), file).toBe(true);
    const isFolder = !path.extname(file) && !/^(\.npmrc|LICENSE)$/.test(file);
    const files = isFolder ? globSync(`${file}/**/*.ts`, { cwd: root }) : [file];
    expect(files.some(isLetIn), file).toBe(true);
  }
  const stageNames = stages.map(([from]) => / AS (\w+)$/.exec(from?.rest ?? '')?.[1]);
  for (const rest of said(last, 'COPY'))
    expect([undefined, ...stageNames]).toContain(/^--from=(\w+)/.exec(rest)?.[1]);
});

test.each([
  ...['.env', '.local/first-key.json', '.git/config', '.sst/log', 'id_rsa', 'key.pem', 'catalogue.json'],
  ...['packages/.env', 'packages/local/.local/first-key.json', 'packages/local/.git/config'],
  ...['node_modules/hono/package.json', 'packages/local/node_modules/x.js', 'dist/threads/x.mjs'],
  ...['test/support/model-server.ts', 'packages/local/greet.test.ts', 'docs/operate.md', 'infra/secrets.ts'],
])('%s does not reach the image', (file) => {
  expect(isLetIn(file)).toBe(false);
});

test('.dockerignore lets in all that runs', () => {
  for (const file of [command.at(-1) ?? '', 'packages/admin/main.ts', 'packages/platform/package.json'])
    expect(isLetIn(file), file).toBe(true);
});

test('the image starts what npm start starts, and has what npm start prepares', () => {
  const steps: string[] = manifest.scripts.start.split(' && ');
  const [, name = '', value, started] = /^exec env (\w+)=(\S+) (.+)$/.exec(steps.at(-1) ?? '') ?? [];
  expect(command.join(' ')).toBe(started);
  expect(imageEnvironment[name as keyof typeof imageEnvironment]).toBe(value);
  const ran = stages.flatMap((all) => said(all, 'RUN')).flatMap((rest) => rest.split(' && '));
  for (const step of steps.slice(0, -1)) expect(ran).toContain(step);
});

test('the image runs as another user than root, on every address, and keeps its state in its volume', () => {
  expect(said(last, 'USER')).toEqual(['node']);
  const config = readConfig('local', imageEnvironment);
  expect(config.host).toBe('0.0.0.0');
  expect(config.port).toBe(readConfig('local', {}).port);
  expect(said(last, 'EXPOSE')).toEqual([String(config.port)]);
  expect(said(last, 'VOLUME')).toEqual([config.dataDir]);
  expect(said(last, 'RUN').join()).toContain(`chown node:node ${config.dataDir}`);
});

test.each([
  [200, 0],
  [503, 1],
])('the health check takes a %i of /healthz for status %i', async (answer, wanted) => {
  const server = createServer(({ url }, response) =>
    response.writeHead(url === '/healthz' ? answer : 404).end(),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const [rest = ''] = said(last, 'HEALTHCHECK');
  const [program = '', ...parameters]: string[] = JSON.parse(rest.slice(rest.indexOf('[')));
  expect(program).toBe('node');
  const { port } = server.address() as AddressInfo;
  const check = spawn(process.execPath, parameters, { env: { PORT: String(port) } });
  expect((await once(check, 'exit'))[0]).toBe(wanted);
});

test('all that the service and the operator’s commands import stays when what is for development goes', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [command.at(-1) ?? '', 'packages/admin/main.ts'],
    bundle: true,
    write: false,
    outdir: 'dist',
    metafile: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  const locked: Record<string, { dev?: true; devOptional?: true }> = JSON.parse(
    read('package-lock.json'),
  ).packages;
  const used = new Set(
    Object.keys(metafile.inputs).flatMap(
      (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
    ),
  );
  expect(used.size).toBeGreaterThan(50);
  expect([...used].filter((name) => locked[name]?.dev || locked[name]?.devOptional)).toEqual([]);
  const sources = Object.keys(metafile.inputs).filter((file) => file.startsWith('packages/'));
  expect(sources.filter((file) => !isLetIn(file))).toEqual([]);
});
