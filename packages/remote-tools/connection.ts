import { limits } from '@errand/platform';
import type { FetchError, WebDeps } from '@errand/web';
import type {
  CallToolResult,
  Client,
  JsonSchemaValidatorResult,
  jsonSchemaValidator,
  Tool,
} from '@modelcontextprotocol/client';
import { callResult, type ListedTool, listPage } from './answers.ts';
import { type Probe, remoteFetch } from './remote-fetch.ts';
import type { RemoteServer } from './server.ts';

export interface Called {
  /** The same for the same call of a run, however often it is made. */
  key: string;
  /** By the server's name. */
  name: string;
  args: Record<string, unknown>;
  /** The tool's schema: it may say that arguments also go as headers. */
  inputSchema: Record<string, unknown>;
}

/** The name of a call's key in its `_meta`. */
const keyInMeta = 'errand/idempotency-key';

/** A session with a server. */
export interface Connection {
  list(signal: AbortSignal): Promise<ListedTool[]>;
  call(called: Called, signal: AbortSignal): Promise<CallToolResult>;
  /**
   * True if the session is useless after this error. A server that answers with an error of its own still has the
   * session.
   */
  isOver(error: unknown): boolean;
  /** True if the server has forgotten the session and has not read the request. */
  isForgotten(error: unknown): boolean;
  /** Never throws. */
  close(): Promise<void>;
}

/** Results are text for a model. Their schemas are not checked, because a stranger's schema can take hours to check. */
const uncheckedResults: jsonSchemaValidator = {
  getValidator<T>() {
    return (input): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    });
  },
};

/** A server may end its streams at once, and say that they are to be resumed at once. */
function resumeSlowly(resume: () => void, milliseconds: number): () => void {
  const timer = setTimeout(resume, Math.max(milliseconds, limits.remoteResumeMilliseconds));
  return () => clearTimeout(timer);
}

/**
 * Begins a session. A server that says in time that it has the newest version of the protocol is spoken to in it. One that says
 * nothing is taken for an older one, and gets more time if it refuses the older version: it may have been starting.
 */
export async function connect(web: WebDeps, server: RemoteServer, signal: AbortSignal): Promise<Connection> {
  const probe: Probe = { milliseconds: limits.remoteProbeMilliseconds, isUnanswered: false };
  try {
    return await connectAsking(probe, web, server, signal);
  } catch (error) {
    if (!probe.isUnanswered || signal.aborted || !refusesVersion(error)) throw error;
    const patient: Probe = { milliseconds: limits.remoteListMilliseconds / 2, isUnanswered: false };
    return connectAsking(patient, web, server, signal).catch((second: unknown) => {
      throw patient.isUnanswered ? error : second;
    });
  }
}

/** The library is loaded here, so that runs without servers do not pay for it. */
async function connectAsking(
  probe: Probe,
  web: WebDeps,
  server: RemoteServer,
  signal: AbortSignal,
): Promise<Connection> {
  const library = await import('@modelcontextprotocol/client');
  const client = new library.Client(
    { name: 'errand', version: '1' },
    {
      capabilities: {},
      jsonSchemaValidator: uncheckedResults,
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: 'auto' },
    },
  );
  const ask = client.request.bind(client) as (...asked: unknown[]) => Promise<never>;
  client.request = ((asked: { method: string }, ...how: unknown[]) =>
    asked.method === 'tools/call'
      ? ask(asked, callResult, ...how)
      : ask(asked, ...how)) as typeof client.request;
  let broken: FetchError | undefined;
  const onBroken = (error: FetchError) => {
    if (error.code === 'aborted') return;
    broken ??= error;
    // The library waits for an answer that cannot come any more.
    void client.close().catch(() => {});
  };
  const url = new URL(server.url);
  const fetch = remoteFetch(web, server, onBroken, probe);
  const transport = new library.StreamableHTTPClientTransport(url, {
    fetch,
    reconnectionScheduler: resumeSlowly,
  });
  /** What has broken the session says more than what the library makes of it. */
  const explained = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw broken ?? error;
    });
  try {
    await explained(client.connect(transport, { signal, timeout: limits.remoteListMilliseconds }));
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
  return {
    list: (inner) => explained(listPages(client, inner)),
    call: ({ key, name, args, inputSchema }, inner) => {
      const toolDefinition = { name, inputSchema } as Tool;
      const headers = { 'idempotency-key': key };
      const options = { signal: inner, timeout: limits.toolMilliseconds, toolDefinition, headers };
      return explained(client.callTool({ name, arguments: args, _meta: { [keyInMeta]: key } }, options));
    },
    isOver: (error) => !(error instanceof library.ProtocolError),
    isForgotten: (error) =>
      transport.sessionId !== undefined && error instanceof library.SdkHttpError && error.status === 404,
    async close() {
      await transport.terminateSession().catch(() => {});
      await client.close().catch(() => {});
    },
  };
}

/** The server's tools, as many pages of them as are read. */
async function listPages(client: Client, signal: AbortSignal): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < limits.remoteListPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const options = { signal, timeout: limits.remoteListMilliseconds };
    const answer = await client.request({ method: 'tools/list', params }, listPage, options);
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined || tools.length >= limits.remoteToolsListed) break;
  }
  return tools;
}

/** What servers of the newest version alone answer to the older one's first request. */
const refusesVersion = (error: unknown): boolean => {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { status?: unknown } };
  return typeof code === 'number' || [400, 404, 405, 501].includes(Number(data?.status));
};
