import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../support/local-server.ts';
import { start } from '../processes.ts';
import { cacheFolder, serves } from './foreign.ts';
import { overHttp } from './http-load.ts';
import type { Target } from './target.ts';

/** Runs the binary that `BENCH_NGINX` names, or Debian's. Undefined if there is none. */
export async function startNginx(upstream: string): Promise<Target | undefined> {
  const binary = [process.env.BENCH_NGINX, '/usr/sbin/nginx', '/usr/bin/nginx'].find(
    (one) => one && existsSync(one),
  );
  if (!binary) return undefined;
  const folder = path.join(cacheFolder, 'nginx');
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  await writeFile(path.join(folder, 'nginx.conf'), configuration(folder, port, upstream));
  const shell = `echo ready; exec ${binary} -p ${folder} -c ${folder}/nginx.conf`;
  const running = await start('/bin/sh', ['-c', shell]);
  await serves(port);
  const workers = execFileSync('pgrep', ['-P', String(running.pid)])
    .toString()
    .trim()
    .split('\n')
    .map(Number);
  return overHttp('nginx', `http://127.0.0.1:${port}`, {
    pids: workers,
    stop() {
      for (const worker of workers) process.kill(worker, 'SIGKILL');
      running.stop();
    },
  });
}

function configuration(folder: string, port: number, upstream: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
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
}
