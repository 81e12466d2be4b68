import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Rolldown } from 'vite';
import { root } from './bundle-function.ts';

const sources = path.join(root, 'packages/console');

/** Builds the console into the folder. Returns the files that it was made of, as paths from the root. */
export async function buildConsole(folder: string): Promise<string[]> {
  const output = (await build({
    configFile: path.join(sources, 'vite.config.ts'),
    build: { outDir: folder },
    logLevel: 'error',
  })) as Rolldown.RolldownOutput;
  const modules = output.output
    .flatMap((made) => (made.type === 'chunk' ? made.moduleIds : []))
    .filter((id) => path.isAbsolute(id));
  await writeFile(path.join(folder, 'licences.txt'), await licencesOf(modules));
  const folders = globSync('**/', { cwd: sources }).map((name) => path.join('packages/console', name));
  const files = ['index.html', 'mark.svg', 'styles.css', 'vite.config.ts'];
  return [
    ...modules.map((id) => path.relative(root, id.split('?')[0]!)),
    ...folders,
    ...files.map((name) => path.join('packages/console', name)),
    path.relative(root, import.meta.filename),
  ];
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
