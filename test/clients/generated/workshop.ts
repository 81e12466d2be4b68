import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');
const here = path.join(root, 'test/clients');

const compilerOptions = {
  strict: true,
  skipLibCheck: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  types: ['node'],
  rewriteRelativeImportExtensions: true,
  rootDir: '.',
  outDir: 'compiled',
};

export interface Workshop {
  folder: string;
  /** Runs a program of this folder with a description in, and what it makes out. */
  generate(program: string, document: string, output: string): Promise<void>;
  /** Puts a program of `programs` beside the client that it imports. A program of another name is compiled and never started. */
  take(program: string, client: string, name?: string): Promise<void>;
  /** Puts a file that compiles into each client's folder, beside a `request.ts` that has the client's own type of a request. */
  check(file: string, requests: Record<string, string>): Promise<void>;
  /** Resolves with what the compiler has to say about all programs and clients. */
  compile(): Promise<string>;
  /** Runs a compiled program, and resolves with what it printed. */
  start(client: string, env: Record<string, string>): Promise<string>;
  close(): Promise<void>;
}

/** A temporary folder in which clients are generated, compiled and run, with this repository's packages. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-clients-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['openapi-fetch', 'hey-api'] }),
  );
  const old = pathToFileURL(path.join(here, 'generated/with-typescript-5.ts')).href;
  const take = (program: string, client: string, name = 'program.ts') =>
    copyFile(path.join(here, 'generated/programs', program), path.join(folder, client, name));
  return {
    folder,
    async generate(program, document, output) {
      const file = path.join(folder, output);
      await mkdir(path.dirname(file), { recursive: true });
      await run(process.execPath, ['--import', old, path.join(here, 'generated', program), document, file]);
    },
    take,
    async check(file, requests) {
      for (const [client, request] of Object.entries(requests)) {
        await writeFile(path.join(folder, client, 'request.ts'), request);
        await take(file, client, file);
      }
    },
    compile: () =>
      run(process.execPath, [path.join(here, 'node_modules/typescript/bin/tsc'), '-p', folder]).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      ),
    start: async (client, env) =>
      (await run(process.execPath, [path.join(folder, 'compiled', client, 'program.js')], { env })).stdout,
    close: () => rm(folder, { recursive: true }),
  };
}
