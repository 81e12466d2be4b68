import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { bundleFunction } from '../../../scripts/bundle-function.ts';

export interface BundleSizes {
  /** Bytes that are loaded before the first request: the entry and its static imports. */
  initBytes: number;
  /** The chunks that dynamic imports load. */
  lazy: { file: string; bytes: number; inputs: string[] }[];
  /** The source files in what is loaded before the first request. */
  initInputs: string[];
}

export async function measureBundle(name: string, outFolder: string): Promise<BundleSizes> {
  return sizesOf((await bundleFunction({ entry: `functions/${name}.ts`, outFolder })).metafile);
}

/** The sizes of a function's bundle in a folder of `builds`. */
export const readSizes = async (folder: string): Promise<BundleSizes> => sizesOf(await readMetafile(folder));

const readMetafile = async (folder: string) =>
  JSON.parse(await readFile(path.join(folder, 'metafile.json'), 'utf8')) as Metafile;

function sizesOf(metafile: Metafile): BundleSizes {
  const atOnce = loadedAtOnce(metafile);
  const { outputs } = metafile;
  return {
    initBytes: [...atOnce].reduce((sum, file) => sum + outputs[file]!.bytes, 0),
    lazy: Object.entries(outputs)
      .filter(([file]) => !atOnce.has(file))
      .map(([file, { bytes, inputs }]) => ({
        file: path.basename(file),
        bytes,
        inputs: Object.keys(inputs),
      })),
    initInputs: [...atOnce].flatMap((file) => contained(metafile, file)),
  };
}

const contained = ({ outputs }: Metafile, file: string): string[] =>
  Object.entries(outputs[file]!.inputs).flatMap(([input, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [input] : [],
  );

function loadedAtOnce({ outputs }: Metafile): Set<string> {
  const [entry] =
    Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.startsWith('functions/')) ?? [];
  if (entry === undefined) throw new Error('no entry');
  const found = new Set<string>();
  const follow = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const { path: next, kind, external } of outputs[file]!.imports)
      if (kind === 'import-statement' && !external) follow(next);
  };
  follow(entry);
  return found;
}

/** Our own modules in a readable bundle, each as far as the bundler kept it: functions that nobody calls are gone. */
export async function keptModules(file: string): Promise<Map<string, string>> {
  const modules = new Map<string, string>();
  // Without minifying, esbuild writes each module's name before its code.
  const names = /^\/\/ ((?:\.\.\/)*[\w@./-]+\.[cm]?[jt]s)$/m;
  const [, ...pieces] = (await readFile(file, 'utf8')).split(names);
  for (let i = 0; i < pieces.length; i += 2) {
    const module = pieces[i]!;
    if (/^(packages|functions)\//.test(module))
      modules.set(module, `${modules.get(module) ?? ''}${pieces[i + 1]}`);
  }
  return modules;
}
