import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { writeOpenApi } from './build-assets.ts';

const root = path.resolve(import.meta.dirname, '..');
const generators = path.join(root, 'test/clients/generated');
const head = '// Made of the OpenAPI document by `npm run client:types`.\n\n';

export const clientTypesFile = path.join(root, 'packages/client/schema.ts');

/** The client's types as TypeScript, made of the routes as they are now. */
export async function makeClientTypes(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-types-'));
  const [document, types] = [path.join(folder, 'openapi.json'), path.join(folder, 'schema.ts')];
  try {
    await writeFile(document, await writeOpenApi());
    // In a process of its own: the generator needs another TypeScript than this repository.
    const hooks = pathToFileURL(path.join(generators, 'with-typescript-5.ts')).href;
    const program = path.join(generators, 'write-openapi-types.ts');
    await promisify(execFile)(process.execPath, ['--import', hooks, program, document, types]);
    return head + (await readFile(types, 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) await writeFile(clientTypesFile, await makeClientTypes());
