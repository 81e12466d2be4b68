import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { localCredentials } from '@errand/platform';
import { type Stack, unwrap } from '../../support/sst/stack.ts';

/** What a function or a version of it is. */
export interface Code {
  release: string;
  variables: Record<string, string>;
}

export interface FakeFunction {
  name: string;
  latest: Code;
  /** By their numbers. */
  versions: Map<number, Code>;
  alias: { version: number; description: string } | undefined;
}

export interface FakeLambda {
  client: LambdaClient;
  functions: Map<string, FakeFunction>;
  /** How many functions the account may run at once. */
  quota: number;
  /** Requests that change something, as `METHOD PATH`. */
  changes: string[];
  /** What was invoked, with the event. */
  invoked: string[];
  /** Refuses requests that change something, if it says so. */
  refuse(change: string): boolean;
  /** Whether a release starts. */
  starts(code: Code): boolean;
  close(): Promise<void>;
}

/** Lambda's API, over HTTP, for the stack's functions. A new version is published as Lambda does: only if something differs. */
export async function startFakeLambda(stack: Stack): Promise<FakeLambda> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeLambda = {
    client: new LambdaClient({
      region: 'eu-central-1',
      endpoint,
      credentials: localCredentials,
      maxAttempts: 1,
    }),
    functions: new Map(),
    quota: 1_000,
    changes: [],
    invoked: [],
    refuse: () => false,
    starts: () => true,
    async close() {
      fake.client.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('request', async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { status, answer, headers } = answerTo(fake, stack, request, body);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(answer));
  });
  return fake;
}

export function publish({ latest, versions }: FakeFunction): number {
  const newest = Math.max(0, ...versions.keys());
  if (JSON.stringify(versions.get(newest)) === JSON.stringify(latest)) return newest;
  versions.set(newest + 1, structuredClone(latest));
  return newest + 1;
}

/** Deploys the stack as SST and Pulumi would: functions are changed and published, and aliases are made where there are none. */
export function deployStack(fake: FakeLambda, stack: Stack, release: string): void {
  const aliased = new Set(stack.of('aws:lambda/alias:Alias').map(({ inputs }) => inputs.functionName));
  for (const { inputs } of stack.of('aws:lambda/function:Function')) {
    const name = String(inputs.name);
    const { variables } = unwrap<{ variables: Record<string, string> }>(inputs.environment);
    const made = fake.functions.get(name);
    const latest = { release, variables };
    const each: FakeFunction = made ?? { name, latest, versions: new Map(), alias: undefined };
    each.latest = latest;
    fake.functions.set(name, each);
    if (inputs.publish !== true) throw new Error(`${name} is not published`);
    const version = publish(each);
    if (aliased.has(name)) each.alias ??= { version, description: '' };
  }
}

interface Answer {
  status: number;
  answer: unknown;
  headers?: Record<string, string>;
}

const found = (answer: unknown): Answer => ({ status: 200, answer });
const missing: Answer = {
  status: 404,
  answer: { Message: 'not found' },
  headers: { 'x-amzn-errortype': 'ResourceNotFoundException' },
};

function answerTo(fake: FakeLambda, stack: Stack, request: IncomingMessage, body: string): Answer {
  const url = new URL(request.url ?? '', 'http://lambda');
  const [, , what, name = '', part] = url.pathname.split('/').map(decodeURIComponent);
  const change = `${request.method} ${url.pathname}`;
  if (request.method !== 'GET' && part !== 'invocations') {
    if (fake.refuse(change)) return throttled;
    fake.changes.push(change);
  }
  if (what === 'account-settings') return found({ AccountLimit: { ConcurrentExecutions: fake.quota } });
  const describe: Describe = (each, code, version) => ({
    FunctionName: each.name,
    Version: version,
    LoggingConfig: { LogGroup: logGroupOf(stack, each.name) },
    Environment: { Variables: code.variables },
  });
  if (name === '')
    return found({
      Functions: [...fake.functions.values()].map((each) => describe(each, each.latest, '$LATEST')),
    });
  const each = fake.functions.get(name);
  if (!each) return missing;
  if (part === 'aliases') return answerOfAlias(each, request.method === 'PUT' ? body : undefined);
  if (part === 'versions' || part === 'configuration') return answerOfVersions(each, change, describe, url);
  if (part === 'invocations') {
    fake.invoked.push(`${name} ${body}`);
    return fake.starts(each.latest) ? found({ batchItemFailures: [] }) : ended;
  }
  const version = Number(url.searchParams.get('Qualifier') ?? Number.NaN);
  if (request.method !== 'DELETE' || !each.versions.delete(version)) throw new Error(`${request.url}`);
  return { status: 204, answer: undefined };
}

type Describe = (each: FakeFunction, code: Code, version: string) => object;

const throttled: Answer = {
  status: 429,
  answer: { Message: 'Rate exceeded' },
  headers: { 'x-amzn-errortype': 'TooManyRequestsException' },
};

/** What Lambda answers for a function that failed. */
const ended: Answer = {
  status: 200,
  answer: { errorMessage: 'no handler' },
  headers: { 'X-Amz-Function-Error': 'Unhandled' },
};

function answerOfAlias(each: FakeFunction, put: string | undefined): Answer {
  if (!each.alias) return missing;
  if (put !== undefined) {
    const { FunctionVersion, Description } = JSON.parse(put) as Record<string, string>;
    if (!each.versions.has(Number(FunctionVersion))) return missing;
    each.alias = { version: Number(FunctionVersion), description: Description ?? '' };
  }
  return found({ FunctionVersion: String(each.alias.version), Description: each.alias.description });
}

function answerOfVersions(each: FakeFunction, change: string, describe: Describe, url: URL): Answer {
  if (change.startsWith('POST')) return found(describe(each, each.latest, String(publish(each))));
  const versions = [...each.versions].map(([version, code]) => describe(each, code, String(version)));
  if (change.endsWith('/versions'))
    return found({ Versions: [describe(each, each.latest, '$LATEST'), ...versions] });
  if (!url.searchParams.has('Qualifier')) return found(describe(each, each.latest, '$LATEST'));
  const { version = 0 } = each.alias ?? {};
  return found(describe(each, each.versions.get(version) ?? each.latest, String(version)));
}

function logGroupOf(stack: Stack, name: string): string {
  const made = stack.of('aws:lambda/function:Function').find(({ inputs }) => inputs.name === name);
  if (!made) throw new Error(`the stack has no function ${name}`);
  return (made.inputs.loggingConfig as { logGroup: string }).logGroup;
}
