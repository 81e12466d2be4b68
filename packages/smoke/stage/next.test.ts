import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import { ownFunctions, prefixes } from '../checks/prefixes.ts';
import { createScene } from '../scene.ts';
import { smoke } from '../smoke.ts';
import { headersForNext } from './next.ts';

const withSecret = (ORIGIN_SECRET?: string) => {
  const lambda = new LambdaClient({ region: 'eu-central-1' });
  mockClient(lambda)
    .on(ListFunctionsCommand)
    .resolves({
      Functions: [
        {
          FunctionName: 'errand-production-2-SiteHandler',
          Environment: { Variables: { ORIGIN_SECRET: 'x' } },
        },
        { FunctionName: 'errand-production-WorkerHandler' },
        {
          FunctionName: 'errand-production-SiteHandler',
          Environment: { Variables: { ORIGIN_SECRET: ORIGIN_SECRET ?? '' } },
        },
      ],
    });
  return headersForNext({ lambda, stage: 'production' });
};

test("the next version is reached with the secret of the stage's edge: the earlier one, while it is being replaced", async () => {
  expect(await withSecret('new,')).toEqual({ 'x-origin-secret': 'new' });
  expect(await withSecret('new,old')).toEqual({ 'x-origin-secret': 'old' });
  await expect(withSecret()).rejects.toThrow(
    'no function of the stage production says the secret of the edge',
  );
});

test('no row shows a header that the service is sent', async () => {
  const scene = createScene({
    baseUrl: 'http://127.0.0.1:1',
    key: 'a key',
    headers: { 'x-origin-secret': 'the secret' },
  });
  const [row] = await smoke(scene, [{ name: 'a check', run: async () => 'it answered the secret' }]);
  expect(row?.seen).not.toContain('the secret');
});

/** Answers as each function must; all but those of one prefix say that they are the newest version. */
async function rowWhere(earlier: string | undefined, next: boolean) {
  const marks = prefixes.map(({ mark }) => mark.source.replaceAll('\\', ''));
  const server = createServer((request, response) => {
    const asked = prefixes.find(({ path }) => path === request.url)!;
    const newest = asked.area === earlier ? {} : { 'x-function-version': '$LATEST' };
    response.writeHead(asked.status, newest).end(marks.join());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const scene = createScene({ baseUrl: `http://127.0.0.1:${port}`, key: 'a key', next });
  const [row] = await smoke(scene, [ownFunctions]);
  server.closeAllConnections();
  server.close();
  return row;
}

test('checks of the newest version fail if the edge sends a function’s requests to the version that callers reach', async () => {
  expect(await rowWhere('responses', true)).toMatchObject({
    result: 'failed',
    seen: 'POST /v1/responses: responses answered in the version that callers reach, not in the newest',
  });
  expect(await rowWhere('responses', false)).toMatchObject({ result: 'passed' });
  expect(await rowWhere(undefined, true)).toMatchObject({ result: 'passed' });
});
