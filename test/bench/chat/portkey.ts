import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../support/local-server.ts';
import { startNode } from '../processes.ts';
import { cacheFolder, serves } from './foreign.ts';
import { overHttp } from './http-load.ts';
import type { Target } from './target.ts';

/** Portkey is installed outside the project. It sleeps 25 ms before the first chunk. */
export async function startPortkey(upstream: string): Promise<Target> {
  const folder = path.join(cacheFolder, 'portkey');
  const program = path.join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(program)) await install(folder);
  const port = await freePort();
  const { pid, stop } = await startNode(program, [`--port=${port}`, '--headless'], {
    cwd: folder,
    env: { PORT: String(port) },
    readyWhen: /ready|running|http/i,
  });
  await serves(port);
  const headers = {
    authorization: 'Bearer x',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${upstream}/v1`,
  };
  return overHttp('portkey', `http://127.0.0.1:${port}`, { headers, pids: [pid], stop });
}

/** The versions are those of Portkey's lockfile: with others it answers every stream with 500. */
async function install(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const overrides = { hono: '4.9.7', '@hono/node-server': '1.13.5' };
  const dependencies = { '@portkey-ai/gateway': '1.15.2', ...overrides };
  const description = { private: true, dependencies, overrides };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(description));
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...quiet], { cwd: folder, stdio: 'ignore' });
}
