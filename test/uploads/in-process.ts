import { GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { readInThread } from '@errand/documents';
import { parseCatalogue } from '@errand/models';
import {
  createApp,
  type HttpEnv,
  type Log,
  localCredentials,
  localRegion,
  localTableNames,
  readConfig,
  silentLog,
} from '@errand/platform';
import { runRoutes } from '@errand/runs';
import {
  accountsDeps,
  agentsDeps,
  attachmentDeps,
  createServiceDeps,
  runsDeps,
  type ServiceDeps,
  skillsDeps,
  uploadDeps,
} from '@errand/service';
import { uploadRoutes } from '@errand/uploads';
import type { Hono } from 'hono';
import { wrapFiles } from '../support/files.ts';
import { simpleCatalogue, type TestService } from '../support/service.ts';
import { type Answered, endpointsOf } from './support.ts';

type UploadDeps = ReturnType<typeof uploadDeps>;

export interface InProcess {
  deps: UploadDeps;
  send(form: FormData, signal?: AbortSignal): Promise<Answered>;
  sendStream(body: AsyncIterable<Uint8Array>, contentType: string): Promise<Answered>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answered>;
  /** From the `from`-th on, every call of this method of the bucket fails, before or after it was carried out. */
  failFiles(method: string, from?: number, when?: 'before' | 'after'): void;
}

interface Options {
  provider: string;
  s3?: string;
  queueUrl?: string;
  readMilliseconds?: number;
  log?: Log;
}

/** The upload routes in the test's process, on the AWS of a running service, with deps that a test can break. */
export async function inProcess(service: TestService, options: Options): Promise<InProcess> {
  const serviceDeps = await createDeps(service, options);
  const deps = uploadDeps(serviceDeps);
  const { attachments } = attachmentDeps(serviceDeps, readInThread);
  const { readMilliseconds = attachments.readMilliseconds } = options;
  const accounts = accountsDeps(serviceDeps);
  const app: Hono<HttpEnv> = createApp({ log: silentLog });
  app.route(
    '/',
    runRoutes({
      ...runsDeps(serviceDeps),
      ...deps,
      accounts,
      skills: skillsDeps(serviceDeps),
      agents: agentsDeps(serviceDeps),
      attachments: { ...attachments, readMilliseconds },
      agentsEnabled: true,
      catalogue: { models: [], roles: {} },
      runProof: false,
      web: { allowedHosts: new Set() },
    }),
  );
  app.route('/', uploadRoutes({ ...deps, accounts }));
  const request = async (path: string, init: RequestInit): Promise<Answered> => {
    const headers = { Authorization: `Bearer ${service.apiKey}`, ...init.headers };
    const response = await app.request(path, { method: 'POST', ...init, headers });
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  return {
    deps,
    send: (body, signal) => request('/v1/agents/runs', { body, signal }),
    sendStream: (body, contentType) =>
      request('/v1/agents/runs', {
        body: ReadableStream.from(body) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>,
        headers: { 'Content-Type': contentType },
        duplex: 'half',
      }),
    post: (path, body, headers) =>
      request(path, {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
    failFiles: (method, from = 1, when = 'before') => failFiles(deps, method, from, when),
  };
}

async function createDeps(service: TestService, options: Options): Promise<ServiceDeps> {
  const endpoints = await endpointsOf(service);
  return createServiceDeps({
    config: {
      ...readConfig('local', {}),
      linkSecret: 'a secret of thirty-two characters',
      storeSecrets: ['another secret of thirty-two characters'],
      aws: {
        region: localRegion,
        credentials: localCredentials,
        endpoints: { ...endpoints, ...(options.s3 && { s3: options.s3 }) },
        tables: localTableNames,
        queueUrl: options.queueUrl ?? (await queueUrlOf(service)),
        webhookQueueUrl: '',
        bucket: 'errand-files',
      },
    },
    catalogue: parseCatalogue(simpleCatalogue(options.provider), () => undefined),
    clock: Object.assign(() => Date.now(), { wait: async () => {} }),
    log: options.log ?? silentLog,
  });
}

function failFiles({ files }: UploadDeps, failing: string, from: number, when: 'before' | 'after'): void {
  let seen = 0;
  wrapFiles(files, async ({ method }, call) => {
    const fails = method === failing && ++seen >= from;
    if (fails && when === 'before') throw new Error('broken on purpose');
    const result = await call();
    if (fails) throw new Error('broken on purpose');
    return result;
  });
}

async function queueUrlOf({ clients }: TestService): Promise<string> {
  const { QueueUrl } = await clients.sqs.send(new GetQueueUrlCommand({ QueueName: 'errand-runs' }));
  if (QueueUrl === undefined) throw new Error('the service has no queue');
  return QueueUrl;
}
