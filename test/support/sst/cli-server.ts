import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

export interface BuildRequest {
  functionID: string;
  handler: string;
  links: object;
  copyFiles: { from: string; to: string }[];
  properties: object;
}

interface Call {
  method: string;
  params: [BuildRequest];
}

/** Answers SST's JavaScript as SST's command does: with the places of the account, and that functions are built. */
export async function startCliServer(outFolder: string) {
  const builds: BuildRequest[] = [];
  const live: BuildRequest[] = [];
  const answers: Record<string, (input: BuildRequest) => unknown> = {
    'Provider.Aws.Bootstrap': () => ({
      asset: 'sst-asset-test',
      assetEcrRegistryId: '1',
      assetEcrUrl: 'ecr',
      state: 'sst-state-test',
      appsyncHttp: 'http',
      appsyncRealtime: 'realtime',
    }),
    'Provider.Aws.Appsync': () => ({ http: 'http', realtime: 'realtime' }),
    'Runtime.AddTarget': (input) => live.push(input),
    'Runtime.Build': (input) => {
      builds.push(input);
      const out = path.join(outFolder, input.functionID);
      mkdirSync(out, { recursive: true });
      writeFileSync(path.join(out, 'bundle.mjs'), '');
      return { handler: `bundle.${input.handler.split('.').at(-1)}`, out, errors: [], sourcemaps: [] };
    },
  };
  const server = createServer(async (request, response) => {
    const { method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Call;
    const answer = answers[method];
    response.end(
      JSON.stringify(answer ? { result: answer(params[0]) } : { error: `rpc: can't find method ${method}` }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { builds, live, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
