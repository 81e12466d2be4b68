import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../../scripts/build-client.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

export interface InstalledClient {
  folder: string;
  /** The command as it was installed. */
  command: string;
  /** What lies in the package. */
  files(): Promise<string[]>;
  write(file: string, text: string): Promise<string>;
  /** Resolves with what the compiler has to say about a program that uses the package, its declarations included. */
  compile(file: string): Promise<string>;
  remove(): Promise<void>;
}

const compilerOptions = {
  ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, target: 'es2023', types: [] },
  ...{
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  },
};

/** Packs the client and unpacks it where a caller's project would have it, beside what it depends on. */
export async function installClient(): Promise<InstalledClient> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-installed-'));
  const built = path.join(folder, 'built');
  await buildClient(built);
  await run('npm', ['pack', built, '--pack-destination', folder, '--silent'], { cwd: folder });
  const target = path.join(folder, 'node_modules/@errand/client');
  await mkdir(target, { recursive: true });
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['-xzf', path.join(folder, tarball), '-C', target, '--strip-components=1']);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const write = async (file: string, text: string) => {
    await writeFile(path.join(folder, file), text);
    return path.join(folder, file);
  };
  return {
    folder,
    write,
    command: path.join(target, 'errand.js'),
    files: async () => (await readdir(target, { recursive: true })).sort(),
    async compile(file) {
      const project = await write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
      const compiler = path.join(root, 'test/clients/node_modules/typescript/bin/tsc');
      return run(process.execPath, [compiler, '-p', project]).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      );
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
