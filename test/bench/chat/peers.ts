import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestDynamo } from '../../support/dynamodb.ts';
import { start, startNode } from '../processes.ts';
import type { Target } from './load.ts';

export interface Peer {
  name: string;
  target: Target;
  /** The proxy's processes; none for the upstream directly. */
  pids: number[];
  stop(): Promise<void> | void;
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const cache = path.join(tmpdir(), 'errand-bench');

/** Each in its own process, started just before it is measured. Undefined where it is not to be had here. */
export const peers: Record<string, (upstream: string) => Promise<Peer | undefined>> = {
  upstream: async (upstream) => ({ name: 'upstream', target: { url: upstream }, pids: [], stop() {} }),
  nginx: startNginx,
  lean: async (upstream) =>
    nodePeer('lean', 'peers/lean-proxy.ts', upstream, { authorization: 'Bearer lean' }),
  errand: startErrand,
  'bare hono': async (upstream) => nodePeer('bare hono', 'peers/bare-hono.ts', upstream),
  portkey: startPortkey,
};

async function nodePeer(
  name: string,
  program: string,
  upstream: string,
  headers: Record<string, string> = {},
): Promise<Peer> {
  const running = await startNode(file(program), [upstream]);
  return {
    name,
    target: { url: `http://127.0.0.1:${running.ready}`, headers },
    pids: [running.pid],
    stop: running.stop,
  };
}

async function startErrand(upstream: string): Promise<Peer> {
  const dynamo = await startTestDynamo();
  const running = await startNode(file('peers/errand.ts'), [upstream, dynamo.endpoint]);
  const [port, key] = running.ready.split(' ');
  return {
    name: 'errand',
    target: { url: `http://127.0.0.1:${port}`, headers: { authorization: `Bearer ${key}` } },
    pids: [running.pid],
    async stop() {
      running.stop();
      await dynamo.close();
    },
  };
}

/** Debian's package, where it is installed or `BENCH_NGINX` says. */
async function startNginx(upstream: string): Promise<Peer | undefined> {
  const binary = [process.env.BENCH_NGINX, '/usr/sbin/nginx', '/usr/bin/nginx'].find(
    (one) => one && existsSync(one),
  );
  if (!binary) return undefined;
  const folder = path.join(cache, 'nginx');
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const configuration = `
    daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 4096; }
    http {
      access_log off; keepalive_requests 1000000; ${temporary.join(' ')}
      upstream model { server ${new URL(upstream).host}; keepalive 128; keepalive_requests 1000000; }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://model; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
      }
    }`;
  await writeFile(path.join(folder, 'nginx.conf'), configuration);
  const shell = `echo ready; exec ${binary} -p ${folder} -c ${folder}/nginx.conf`;
  const running = await start('/bin/sh', ['-c', shell]);
  await serves(port);
  const workers = execFileSync('pgrep', ['-P', String(running.pid)])
    .toString()
    .trim()
    .split('\n')
    .map(Number);
  return {
    name: 'nginx',
    target: { url: `http://127.0.0.1:${port}` },
    pids: workers,
    stop() {
      for (const worker of workers) process.kill(worker, 'SIGKILL');
      running.stop();
    },
  };
}

/** Installed once, outside the project, with the versions of its own lockfile: others answer every stream with 500. */
async function startPortkey(upstream: string): Promise<Peer> {
  const folder = path.join(cache, 'portkey');
  const program = path.join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(program)) {
    await mkdir(folder, { recursive: true });
    const overrides = { hono: '4.9.7', '@hono/node-server': '1.13.5' };
    const dependencies = { '@portkey-ai/gateway': '1.15.2', ...overrides };
    await writeFile(
      path.join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies, overrides }),
    );
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: folder,
      stdio: 'ignore',
    });
  }
  const port = await freePort();
  const running = await startNode(program, [`--port=${port}`, '--headless'], {
    cwd: folder,
    env: { PORT: String(port) },
    readyWhen: /ready|running|http/i,
  });
  await serves(port);
  return {
    name: 'portkey',
    target: {
      url: `http://127.0.0.1:${port}`,
      headers: {
        authorization: 'Bearer x',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${upstream}/v1`,
      },
    },
    pids: [running.pid],
    stop: running.stop,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function serves(port: number): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing serves on port ${port}`);
}
