import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { root } from './bundle-function.ts';

const sources = 'packages/console';

/** Builds the console into the folder. Returns the files and folders that it was made of, as paths from the root. */
export async function buildConsole(folder: string): Promise<string[]> {
  const modules: string[] = [];
  // Notes the modules of the page and of its worker, because the build of the page contains that of the worker.
  const noteModules = (): Plugin => ({
    name: 'note-modules',
    generateBundle(_, bundle) {
      for (const made of Object.values(bundle)) if (made.type === 'chunk') modules.push(...made.moduleIds);
    },
  });
  await build({
    configFile: path.join(root, sources, 'vite.config.ts'),
    build: { outDir: folder },
    plugins: [noteModules()],
    worker: { plugins: () => [noteModules()] },
    logLevel: 'error',
  });
  await writeFile(path.join(folder, 'licences.txt'), await licencesOf(modules));
  // Modules that only pass on what others export are in no chunk, so all files of both packages count.
  const inputs = globSync([sources, `${sources}/**`, 'packages/client', 'packages/client/**'], { cwd: root });
  return [...inputs.filter((name) => !name.includes('.test.')), path.relative(root, import.meta.filename)];
}

/** What must come along with the code of the packages that the modules are of. */
async function licencesOf(modules: readonly string[]): Promise<string> {
  const folders = new Set(
    modules.flatMap((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []),
  );
  const texts = [...folders].toSorted().map(async (folder) => {
    const [licence] = globSync('LICEN[CS]E*', { cwd: folder });
    if (!licence) throw new Error(`${folder} has no licence to pass on`);
    const { name, version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    return `${name} ${version}\n\n${(await readFile(path.join(folder, licence), 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).join('\n\n');
}

if (import.meta.main) await buildConsole(path.join(root, 'dist/console'));
