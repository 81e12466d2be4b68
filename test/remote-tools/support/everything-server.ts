import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '../../support/local-server.ts';

const program = path.resolve(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** `@modelcontextprotocol/server-everything` over streamable HTTP, in a process of its own. */
export async function startEverythingServer() {
  const port = await freePort();
  const server = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // It says where it listens.
  await once(server.stderr, 'data');
  server.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    host: `127.0.0.1:${port}`,
    async stop() {
      server.kill();
      await once(server, 'exit');
    },
  };
}
