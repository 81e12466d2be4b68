import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { builds } from '../../support/builds/index.ts';
import { parseEvents, type RunEvent } from '../../support/service.ts';
import { catalogueJson, leaseSeconds } from './ground.ts';
import type { Outside } from './outside.ts';

/** The program of the service. */
export const serviceProgram = path.join(await builds.service(), 'local.mjs');

/** The service, or one of its parts, in a process of its own. */
export interface ServiceProcess {
  child: ChildProcess;
  /** Resolves when the process reports that it is running; rejects with its stderr if it ends before. */
  ready: Promise<void>;
  /** Resolves with the exit status, or the signal that ended the process, and its stderr. */
  ended: Promise<{ status: number | string; stderr: string }>;
  /** What it has told the terminal so far. */
  said(): readonly string[];
  /** The log so far. Throws if a line is no JSON. */
  log(): Record<string, unknown>[];
}

/** Gives a program a disk of its own in the place of the data folder: this process alone sees it, and needs no rights. */
export function onSmallDisk(kilobytes: number, command: readonly string[]): string[] {
  const mount = `mount -t tmpfs -o size=${kilobytes}k,mode=700 tmpfs "$DATA_DIR" && exec "$@"`;
  return ['unshare', '-rm', 'sh', '-c', mount, 'sh', ...command];
}

export const canMakeDisks = spawnSync('unshare', ['-rm', 'true']).status === 0;

/** `diskKilobytes` gives the data folder a disk of its own, which `diskOf` finds. */
export function spawnService(
  env: Record<string, string>,
  options: { only?: string; diskKilobytes?: number } = {},
): ServiceProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { only, diskKilobytes } = options;
  const start = [process.execPath, serviceProgram, ...(only ? ['--only', only] : [])];
  const command = diskKilobytes === undefined ? start : onSmallDisk(diskKilobytes, start);
  const child = spawn(command[0]!, command.slice(1), {
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', RATE_LIMIT_REQUESTS: '1000000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killed = () => void child.kill('SIGKILL');
  process.once('exit', killed);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    process.off('exit', killed);
    return { status: (code ?? signal) as number | string, stderr };
  });
  const said: string[] = [];
  const running = new Promise<void>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      said.push(line);
      if (/^Errand('s \w+)? is running/.test(line)) resolve();
    });
  });
  const ready = Promise.race([
    running,
    ended.then((end) => {
      throw new Error(`it ended: ${end.status} ${end.stderr}`);
    }),
  ]);
  ready.catch(() => {});
  const log = () =>
    stderr
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { child, ready, ended, said: () => said, log };
}

/** The environment of a service on this data folder whose models and search are the outside server. */
export async function serviceEnv(dataDir: string, outside: Outside): Promise<Record<string, string>> {
  const catalogue = path.join(dataDir, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify(catalogueJson(outside.url)));
  return {
    DATA_DIR: dataDir,
    MODEL_CATALOGUE: catalogue,
    SEARCH_PROVIDER: 'searxng',
    SEARCH_BASE_URL: outside.url,
    FETCH_ALLOWED_HOSTS: outside.host,
    RUN_LEASE_SECONDS: String(leaseSeconds),
  };
}

/** A client of the service that runs on this data folder. */
export async function connect(dataDir: string) {
  const { baseUrl, apiKey } = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as {
    baseUrl: string;
    apiKey: string;
  };
  const request = (route: string, init: RequestInit = {}) =>
    fetch(`${baseUrl}${route}`, {
      ...init,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    });
  const json = async <T>(route: string, init?: RequestInit) =>
    (await (await request(route, init)).json()) as T;
  return {
    async start(body: object): Promise<string> {
      const response = await request('/v1/agents/runs', { method: 'POST', body: JSON.stringify(body) });
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
      return ((await response.json()) as { agentId: string }).agentId;
    },
    follow: async (agentId: string): Promise<RunEvent[]> =>
      parseEvents(await (await request(`/v1/agents/runs/${agentId}/stream`)).text()),
    /** Reads a run's stream until it has this text. Its connection is its own: no other is opened when it is left. */
    async untilStreamed(agentId: string, text: string): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const headers = { Authorization: `Bearer ${apiKey}` };
      const url = `${baseUrl}/v1/agents/runs/${agentId}/stream`;
      http.get(url, { agent: false, headers }, resolve).on('error', reject);
      let seen = '';
      for await (const piece of (await promise).setEncoding('utf8')) {
        seen += piece;
        if (seen.includes(text)) return;
      }
      throw new Error(`the stream ended without ${text}`);
    },
    read: (agentId: string) =>
      json<{ status: string; usage: { credits: string } }>(`/v1/agents/runs/${agentId}`),
    credits: () =>
      json<{ balance: string; entries: { kind: string; runId?: string; amount: string }[] }>('/v1/credits'),
    request,
  };
}
