import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseEvents, type RunEvent } from '../support/service.ts';
import type { Catalogue } from './models/catalogue.ts';

export interface Service {
  request(route: string, init?: RequestInit): Promise<Response>;
  /** The events of a run, to its end. */
  follow(agentId: string): Promise<RunEvent[]>;
  /** The most memory that its process has held so far. Undefined where the system does not tell. */
  peakMegabytes(): number | undefined;
  stop(): Promise<void>;
}

interface ServiceSettings {
  catalogue: Catalogue;
  /** Where it searches. */
  searchUrl: string;
  /** `host:port` that runs may read from. */
  hosts: readonly string[];
}

/** More than the runs of an evaluation cost with any model. */
const credits = '10000';

/** Starts the service of a checkout as `npm start` does, on a data folder of its own. */
export async function startService(root: string, settings: ServiceSettings): Promise<Service> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-eval-'));
  const dataDir = path.join(folder, 'data');
  const { MODEL_BASE_URL: _, MODEL_ID: __, ...own } = process.env;
  const env = { ...own, ...(await environment(folder, settings)), DATA_DIR: dataDir };
  runScript(root, 'scripts/bundle-threads.ts', [], env);
  const child = spawn(process.execPath, ['packages/local/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await serving(child);
  const file = await readFile(path.join(dataDir, 'service.json'), 'utf8');
  const { baseUrl, apiKey, accountId } = JSON.parse(file) as Record<
    'baseUrl' | 'apiKey' | 'accountId',
    string
  >;
  runScript(
    root,
    'packages/admin/main.ts',
    ['credits', 'add', '--account', accountId, '--amount', credits],
    env,
  );
  const request: Service['request'] = (route, init = {}) =>
    fetch(baseUrl + route, {
      ...init,
      headers: { Authorization: `Bearer ${apiKey}`, ...(init.headers as Record<string, string>) },
    });
  return {
    request,
    async follow(agentId) {
      const headers = { Accept: 'text/event-stream' };
      return parseEvents(await (await request(`/v1/agents/runs/${agentId}/stream`, { headers })).text());
    },
    peakMegabytes: () => peakOf(child.pid!),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function environment(folder: string, settings: ServiceSettings): Promise<Record<string, string>> {
  const catalogue = path.join(folder, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify(settings.catalogue));
  return {
    PORT: '0',
    MODEL_CATALOGUE: catalogue,
    SEARCH_PROVIDER: 'searxng',
    SEARCH_BASE_URL: settings.searchUrl,
    FETCH_ALLOWED_HOSTS: settings.hosts.join(','),
    RATE_LIMIT_REQUESTS: '1000000',
  };
}

/** Runs a script of the checkout to its end. A script that the checkout lacks is skipped. */
function runScript(root: string, script: string, args: string[], env: NodeJS.ProcessEnv): void {
  if (!existsSync(path.join(root, script))) return;
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${script} of ${root} failed: ${stderr}`);
}

/** Waits until the service says that it runs. Throws what it wrote if it ends before. */
async function serving(child: ChildProcess): Promise<void> {
  const complaints: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString('utf8')));
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout!).on('line', (line) => /^Errand is running/.test(line) && resolve());
    child.once('exit', () => reject(new Error(`the service did not start: ${complaints.join('')}`)));
  });
}

function peakOf(pid: number): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024);
}
