import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import { createBuilds } from './create-builds.ts';

/**
 * vitest's global set-up. Its main process makes the builds when a test file first asks for them, and removes them at the
 * end. Test files run in processes of their own and ask over HTTP.
 */
export default async function own(project: TestProject): Promise<() => void> {
  let builds = createBuilds();
  const server = createServer(async (request, response) => {
    const { what, given } = JSON.parse((await buffer(request)).toString());
    try {
      const make = builds[what as 'bundle'];
      response.end(JSON.stringify({ made: await make(...(given as Parameters<typeof make>)) }));
    } catch (error) {
      response.end(JSON.stringify({ failure: (error as Error).message }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.ERRAND_TEST_BUILDS = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A rerun in watch mode means that sources have changed.
  project.onTestsRerun(async () => {
    builds.remove();
    builds = createBuilds();
  });
  return () => {
    server.closeAllConnections();
    server.close();
    builds.remove();
  };
}
