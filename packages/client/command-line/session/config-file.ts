import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

export interface Login {
  baseUrl: string;
  apiKey: string;
}

type Environment = Record<string, string | undefined>;

const configFile = (env: Environment): string =>
  path.join(env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config'), 'errand', 'config.json');

/** What `errand login` has saved; undefined if there is nothing, or nothing that can be read as that. */
export async function readLogin(env: Environment): Promise<Login | undefined> {
  try {
    const { baseUrl, apiKey } = JSON.parse(await readFile(configFile(env), 'utf8')) as Partial<Login>;
    return typeof baseUrl === 'string' && typeof apiKey === 'string' ? { baseUrl, apiKey } : undefined;
  } catch {
    return undefined;
  }
}

/** Saves the login for its owner alone. Resolves with the file's path. */
export async function saveLogin(env: Environment, login: Login): Promise<string> {
  const file = configFile(env);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // Another file, which then takes the place of the old one: its mode is right from the beginning.
  const fresh = `${file}.${process.pid}`;
  await rm(fresh, { force: true });
  await writeFile(fresh, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  await rename(fresh, file);
  return file;
}
