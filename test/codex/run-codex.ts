import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '../..');

const installed = path.join(homedir(), '.cache/errand/codex/node_modules/.bin/codex');

/** Codex has 420 MB, too much for every checkout: `CODEX` if it is set, or what docs/clients.md installs. */
export const codexPath: string | undefined = [process.env.CODEX ?? '', installed].find(existsSync);

/** The configuration that docs/clients.md shows, for a service at this address. */
async function readConfiguration(url: string): Promise<string> {
  const page = await readFile(path.join(root, 'docs/clients.md'), 'utf8');
  const shown = /```toml\n(.*?)```/s.exec(page)?.[1];
  if (!shown) throw new Error('docs/clients.md shows no configuration of Codex');
  return shown.replace('http://127.0.0.1:8787', url);
}

interface CodexRun {
  code: number | null;
  /** The last message of the model. */
  answer: string;
  log: string;
}

export interface CodexDesk {
  /** The folder that Codex works in. */
  folder: string;
  run(task: string, options?: { key?: string; edit?: (configuration: string) => string }): Promise<CodexRun>;
  close(): Promise<void>;
}

/** A folder for Codex with a configuration of its own. Nothing but this machine can be asked. */
export async function openCodexDesk({ url, key }: { url: string; key: string }): Promise<CodexDesk> {
  const home = await mkdtemp(path.join(tmpdir(), 'codex-'));
  const folder = path.join(home, 'work');
  await mkdir(folder);
  const configuration = await readConfiguration(url);
  return {
    folder,
    async run(task, { key: other = key, edit } = {}) {
      await writeFile(path.join(home, 'config.toml'), edit?.(configuration) ?? configuration);
      // What a sandbox needs is not there on every machine, and the scripted model does no harm.
      const options = ['--skip-git-repo-check', '--ephemeral', '--sandbox', 'danger-full-access'];
      const nowhere = 'http://127.0.0.1:9';
      const child = spawn(codexPath ?? '', ['exec', ...options, task], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...{ PATH: process.env.PATH, HOME: home, CODEX_HOME: home, ERRAND_API_KEY: other },
          ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: '127.0.0.1' },
        },
      });
      const ended = new Promise<number | null>((resolve, reject) => {
        child.on('close', resolve);
        child.on('error', reject);
      });
      const [answer, log, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, answer: answer.trim(), log };
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}
