import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits, pollQueue } from '@errand/platform';
import { functionShapes, toPascalCase } from '../../../infra/functions.ts';
import type { FunctionName } from '../../../infra/permissions.ts';
import { routesOf, startEdge, storeOf } from '../sst/edge.ts';
import type { Stack } from '../sst/stack.ts';
import { type Cloud, type CloudFunction, startCloud } from './cloud.ts';
import { createPool, type FunctionPool } from './function-pool.ts';
import { request } from './http.ts';

export interface LocalEdge {
  baseUrl: string;
  cloud: Cloud;
  functions: ReadonlyMap<FunctionName, readonly CloudFunction[]>;
  stop(): Promise<void>;
}

interface LocalEdgeOptions {
  stack: Stack;
  catalogue: object;
  /** How many processes a function has. Default: one. */
  processes?: Partial<Record<FunctionName, number>>;
  /** How long the stream of a run lasts before it ends by itself. */
  streamMilliseconds: number;
}

/**
 * A stage on this machine: a server that runs the stack's viewer-request function on each request, as CloudFront does, and
 * sends it to the function of the origin that was chosen. The functions' bundles run under the runtime client, and messages
 * of the queue go to the worker's.
 */
export async function startLocalEdge(options: LocalEdgeOptions): Promise<LocalEdge> {
  const { stack, catalogue } = options;
  const cloud = await startCloud(catalogue);
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const functions = new Map<FunctionName, readonly CloudFunction[]>();
  const environment = { PUBLIC_URL: baseUrl, ORIGIN_SECRET: await secretOf(stack) };
  const names = (Object.keys(functionShapes) as FunctionName[]).filter(
    (name) => functionShapes[name].paths.length > 0 || name === 'worker',
  );
  await Promise.all(
    names.map(async (name) => {
      const processes: CloudFunction[] = [];
      functions.set(name, processes);
      const count = options.processes?.[name] ?? 1;
      while (processes.length < count) processes.push(await cloud.start(name, { environment }));
    }),
  );
  const pools = new Map([...functions].map(([name, processes]) => [name, createPool(processes)]));
  const answer = answerer(stack, pools, options.streamMilliseconds);
  server.on('request', (incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const stopping = new AbortController();
  const polling = poll(cloud, pools, functions, stopping.signal);
  return {
    baseUrl,
    cloud,
    functions,
    async stop() {
      stopping.abort();
      server.closeAllConnections();
      server.close();
      await polling;
      await cloud.stop();
    },
  };
}

/** The secret that the stack's router sends to the functions. */
async function secretOf(stack: Stack): Promise<string> {
  const { answer } = await startEdge(stack, { uri: '/healthz' }).result;
  return answer.headers['x-origin-secret']?.value ?? '';
}

/** The functions by the hosts of their URLs, as `agentsliveurl.lambda-url.eu-central-1.on.aws`. */
const nameOf = (host: string): FunctionName | undefined =>
  (Object.keys(functionShapes) as FunctionName[]).find((name) =>
    host.startsWith(`${toPascalCase(name)}liveurl.`.toLowerCase()),
  );

const timeOf = (name: FunctionName): number => functionShapes[name].timeoutSeconds * 1000;

function answerer(stack: Stack, pools: ReadonlyMap<FunctionName, FunctionPool>, streamMilliseconds: number) {
  const store = storeOf(routesOf(stack));
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await incoming.toArray());
    const [uri = '/', query] = (incoming.url ?? '/').split(/\?(.*)/s);
    const given = Object.entries(incoming.headers).map(([name, value]) => [name, { value: String(value) }]);
    const viewer = { method: incoming.method ?? 'GET', uri, headers: Object.fromEntries(given) };
    const { answer, origin } = await startEdge(stack, viewer, () => store).result;
    if (answer.statusCode !== undefined) {
      outgoing.writeHead(answer.statusCode, plain(answer.headers));
      outgoing.end(answer.body?.data);
      return;
    }
    const name = nameOf(origin?.domainName ?? '');
    const pool = name && pools.get(name);
    if (!pool) throw new Error(`no function has the host ${origin?.domainName}`);
    const { host: _host, connection: _connection, ...headers } = plain(answer.headers);
    const path = query === undefined ? answer.uri : `${answer.uri}?${query}`;
    const untilStreamEnds = limits.invocationEndMilliseconds + streamMilliseconds;
    const milliseconds = name === 'run-streams' ? untilStreamEnds : timeOf(name);
    await pass(pool, path, { method: answer.method, headers, body, milliseconds }, outgoing);
  };
}

const plain = (headers: Record<string, { value: string }>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value]));

/** Function URLs hand on these types as text, and any other as base64. */
const isText = (type = ''): boolean => /^(text\/|application\/(json|javascript|xml))/.test(type);

async function pass(
  pool: FunctionPool,
  path: string,
  sent: { method: string; headers: Record<string, string>; body: Buffer; milliseconds: number },
  outgoing: ServerResponse,
): Promise<void> {
  const { body, ...options } = sent;
  const text = isText(options.headers['content-type']) ? body.toString('utf8') : body;
  const target = await pool.take();
  const answer = await request(target, path, { ...options, ...(body.length > 0 && { body: text }) });
  const { 'transfer-encoding': _transfer, ...headers } = answer.headers;
  outgoing.writeHead(answer.statusCode, headers);
  // Lambda does not notice that a client has left.
  for await (const piece of answer.pieces) if (!outgoing.destroyed) outgoing.write(piece);
  outgoing.end();
}

/** Gives the queue's messages to the worker, as Lambda's poller does: one for each invocation. */
async function poll(
  cloud: Cloud,
  pools: ReadonlyMap<FunctionName, FunctionPool>,
  functions: LocalEdge['functions'],
  signal: AbortSignal,
): Promise<void> {
  const worker = pools.get('worker');
  if (!worker) throw new Error('no worker');
  await pollQueue({
    sqs: cloud.clients.sqs,
    queueUrl: cloud.queueUrl,
    concurrency: functions.get('worker')?.length ?? 1,
    signal,
    async handler(event) {
      const process = await worker.take();
      const { chunks, failure } = process.invoke(event, { milliseconds: timeOf('worker') });
      const pieces: Buffer[] = [];
      for await (const piece of chunks) pieces.push(piece);
      const failed = await failure;
      if (failed) throw new Error(failed.errorMessage);
      return JSON.parse(Buffer.concat(pieces).toString('utf8'));
    },
  });
}
