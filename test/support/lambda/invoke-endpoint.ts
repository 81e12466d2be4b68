import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localRegion } from '@errand/platform';
import { expectedAuthorization } from '../aws-signature.ts';
import { functionCredentials } from './guard.ts';
import type { LambdaFunction } from './start-function.ts';

interface InvokeEndpoint {
  endpoint: string;
  /** The functions that were called and are not allowed to be, and calls that were signed wrongly. */
  refused: string[];
  /** Refuses every call from now on, as Lambda does when its concurrency is used up. */
  throttle(): void;
  close(): Promise<void>;
}

/** Lambda's API for one function that may call those of `callable`. */
export async function startInvokeEndpoint(
  callable: Readonly<Record<string, () => Promise<LambdaFunction>>>,
): Promise<InvokeEndpoint> {
  const refused: string[] = [];
  let isThrottled = false;
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray());
    const { url: path = '/', headers } = incoming;
    const [, name = ''] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(path) ?? [];
    const fail = (status: number, type: string) =>
      response.writeHead(status, { 'x-amzn-errortype': type }).end(JSON.stringify({ Message: type }));
    const signer = { service: 'lambda', region: localRegion, credentials: functionCredentials };
    const start = callable[name];
    if (!start || headers.authorization !== (await expectedAuthorization({ path, headers, body }, signer))) {
      refused.push(`call of ${name}`);
      return fail(403, 'AccessDeniedException');
    }
    if (isThrottled) return fail(429, 'TooManyRequestsException');
    const { chunks, failure } = (await start()).invoke(JSON.parse(body.toString()));
    const answer: Buffer[] = [];
    for await (const chunk of chunks) answer.push(chunk);
    const failed = await failure;
    if (failed)
      return response.writeHead(200, { 'x-amz-function-error': 'Unhandled' }).end(JSON.stringify(failed));
    return response.writeHead(200).end(Buffer.concat(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    throttle() {
      isThrottled = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
