import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const readJson = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };

const { packages } = readJson('package-lock.json') as {
  packages: Record<
    string,
    {
      version?: string;
      hasInstallScript?: boolean;
      link?: boolean;
      dev?: boolean;
      optional?: boolean;
      devOptional?: boolean;
    }
  >;
};

test('an installation runs no package’s scripts but those of the one that fetches Node', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'errand-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'scripts'));
  mkdirSync(path.join(folder, 'bin'));
  copyFileSync(
    path.join(root, 'scripts/ensure-installed.mjs'),
    path.join(folder, 'scripts/ensure-installed.mjs'),
  );
  writeFileSync(path.join(folder, 'package-lock.json'), '{"packages":{}}');
  const npm = path.join(folder, 'bin/npm');
  writeFileSync(npm, `#!/bin/sh\necho "$@" >> '${folder}/called'\n`);
  chmodSync(npm, 0o755);
  const done = spawnSync(process.execPath, ['scripts/ensure-installed.mjs'], {
    cwd: folder,
    env: { PATH: `${folder}/bin:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  expect(done.status, done.stderr).toBe(0);
  const called = readFileSync(path.join(folder, 'called'), 'utf8').trim().split('\n');
  expect(called.map((line) => line.split(' --loglevel')[0])).toEqual([
    'ci --ignore-scripts --no-audit --no-fund',
    'rebuild node',
  ]);
});

test('a command written in TypeScript installs missing packages first, because the Node of a clone may not run TypeScript', () => {
  const { scripts } = readJson('package.json') as { scripts: Record<string, string> };
  const typescript = Object.keys(scripts).filter((name) => /\bnode \S+\.ts\b/.test(scripts[name] ?? ''));
  expect(typescript).toContain('start');
  for (const name of typescript)
    expect(scripts[`pre${name}`], name).toBe('node scripts/ensure-installed.mjs');
});

test('the packages whose scripts would run elsewhere are known, and none of them is deployed', () => {
  const scripted = Object.entries(packages).filter(
    ([, { hasInstallScript, optional }]) => hasInstallScript && !optional,
  );
  expect(scripted.map(([place, { dev }]) => [place, dev])).toEqual([
    // Its script would report each installation to its makers.
    ['node_modules/@scarf/scarf', true],
    ['node_modules/esbuild', true],
    ['node_modules/node', true],
  ]);
});

interface Component {
  name: string;
  version: string;
  purl: string;
  'bom-ref': string;
  hashes?: { alg: string; content: string }[];
}

describe('the bill of materials', () => {
  const text = execFileSync('npm', ['run', '-s', 'sbom'], { cwd: root, encoding: 'utf8' });
  const bill = JSON.parse(text) as {
    bomFormat: string;
    specVersion: string;
    serialNumber: string;
    metadata: { component: Component };
    components: Component[];
    dependencies: { ref: string; dependsOn?: string[] }[];
  };
  const named = new Map(bill.components.map((each) => [`${each.name}@${each.version}`, each]));

  test('is a CycloneDX document whose references hold', () => {
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: expect.stringMatching(/^1\.\d$/),
      serialNumber: expect.stringMatching(/^urn:uuid:/),
      metadata: { component: { purl: expect.stringMatching(/^pkg:npm\/errand@/) } },
    });
    const refs = new Set([bill.metadata.component, ...bill.components].map((each) => each['bom-ref']));
    expect(refs.size).toBe(bill.components.length + 1);
    for (const { ref, dependsOn = [] } of bill.dependencies)
      for (const each of [ref, ...dependsOn]) expect(refs).toContain(each);
  });

  test('has every package that the lock file has for production, and each of its own', () => {
    const wanted = Object.entries(packages)
      .filter(([place, { dev, optional, devOptional }]) => place !== '' && !dev && !optional && !devOptional)
      .filter(([place, { link }]) => !link && !place.startsWith('test/'))
      .map(([place, { version }]) => `${place.replace(/^.*node_modules\/|^packages\//, '')}@${version}`);
    // Bundles have this package too, as test/lambda/bundles.test.ts shows, though npm keeps it for development.
    wanted.push(`zod@${packages['node_modules/zod']?.version}`);
    // The console and the reference are made of them.
    for (const name of [
      '@preact/signals',
      '@preact/signals-core',
      'marked',
      'preact',
      'swagger-ui-dist',
      'temml',
    ])
      wanted.push(`${name}@${packages[`node_modules/${name}`]?.version}`);
    expect([...named.keys()].sort()).toEqual([...new Set(wanted)].sort());
    expect(wanted.length).toBeGreaterThan(100);
  });

  test('has every runtime dependency in its exact version with its hash', () => {
    for (const [name, version] of Object.entries(dependencies)) {
      const component = named.get(`${name}@${version}`);
      expect(component?.purl, name).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
      expect(component?.hashes?.[0]?.alg, name).toBe('SHA-512');
    }
  });

  test('has nothing that is only for development or the service on one machine', () => {
    const names = new Set(bill.components.map(({ name }) => name));
    for (const name of [
      'vitest',
      'typescript',
      'sst',
      'esbuild',
      'node',
      '@biomejs/biome',
      '@dynoxide/linux-x64',
    ])
      expect(names).not.toContain(name);
  });
});
