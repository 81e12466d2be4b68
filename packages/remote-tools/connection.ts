import { limits } from '@errand/platform';
import { FetchError, guardedExchange, type WebDeps } from '@errand/web';
import type {
  CallToolResult,
  Client,
  JsonSchemaValidatorResult,
  jsonSchemaValidator,
  Tool,
} from '@modelcontextprotocol/client';
import { authorizationHeader, type RemoteServer } from './server.ts';

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
}

export interface Called {
  /** By the server's name. */
  name: string;
  args: Record<string, unknown>;
  /** The tool's schema: it may say that arguments also go as headers. */
  inputSchema: Record<string, unknown>;
}

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

/** Begins a session. The library is loaded here, so that runs without servers do not pay for it. */
export async function connect(web: WebDeps, server: RemoteServer, signal: AbortSignal): Promise<Connection> {
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
  let broken: FetchError | undefined;
  const onBroken = (error: FetchError) => {
    if (error.code === 'aborted') return;
    broken ??= error;
    // The library waits for an answer that cannot come any more.
    void client.close().catch(() => {});
  };
  const url = new URL(server.url);
  const fetch = remoteFetch(web, server, onBroken);
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
    call: ({ name, args, inputSchema }, inner) => {
      const toolDefinition = { name, inputSchema } as Tool;
      const options = { signal: inner, timeout: limits.toolMilliseconds, toolDefinition };
      return explained(client.callTool({ name, arguments: args }, options));
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

interface ListPage {
  tools: readonly ListedTool[];
  nextCursor?: string;
}

/** A schema by the standard that the library takes. */
interface ListPageSchema {
  '~standard': {
    version: 1;
    vendor: string;
    validate(value: unknown): { value: ListPage } | { issues: { message: string }[] };
    types?: { input: unknown; output: ListPage };
  };
}

/**
 * Reads a page of a list, in place of the library's schema: that takes 400 ms for 10,000 tools in one turn, and refuses all
 * of them for one that is wrong. What is no tool is left out.
 */
export const listPage: ListPageSchema = {
  '~standard': {
    version: 1,
    vendor: 'errand',
    validate: (value) =>
      isObject(value) && Array.isArray(value.tools)
        ? { value: readPage(value.tools, value.nextCursor) }
        : { issues: [{ message: 'no list of tools' }] },
  },
};

const readPage = (tools: readonly unknown[], nextCursor: unknown): ListPage => ({
  tools: tools.slice(0, limits.remoteToolsListed).flatMap(readTool),
  ...(typeof nextCursor === 'string' && { nextCursor }),
});

function readTool(value: unknown): ListedTool[] {
  if (!isObject(value) || typeof value.name !== 'string' || !isObject(value.inputSchema)) return [];
  const { name, description, inputSchema } = value;
  if (inputSchema.type !== 'object') return [];
  return [{ name, inputSchema, ...(typeof description === 'string' && { description }) }];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Method = 'GET' | 'POST' | 'DELETE';

/** The `fetch` of the library's transport: all it sends goes through the guarded door, to this server alone. */
function remoteFetch(
  web: WebDeps,
  { url, authorization }: RemoteServer,
  onBroken: (error: FetchError) => void,
) {
  const own: Record<string, string> =
    authorization === undefined ? {} : { authorization: authorizationHeader(authorization) };
  let waiting = 0;
  return async (asked: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = (init.method ?? 'GET') as Method;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...own };
    if (String(asked) !== new URL(url).href) throw new FetchError('invalid_url');
    // A stream of what happens beside the calls, which nobody here would read.
    if (method === 'GET' && !('last-event-id' in headers)) return new Response(null, { status: 405 });
    const totalMilliseconds =
      method === 'DELETE' ? limits.remoteGoodbyeMilliseconds : limits.toolMilliseconds;
    // A server may ask back thousands of times in one answer, and the library answers each.
    if (waiting >= limits.remoteRequestsAtOnce) throw new FetchError('over_budget');
    waiting++;
    const answer = await guardedExchange(web, {
      url,
      method,
      headers,
      ...(typeof init.body === 'string' && { body: init.body }),
      totalMilliseconds,
      answerBytes: limits.remoteAnswerBytes,
      signal: init.signal ?? undefined,
      onBroken,
    }).finally(() => {
      waiting--;
    });
    if (method !== 'POST' || isRequest(init.body)) return answer;
    // What is said to a notification, or to an answer of ours, is read by nobody.
    await answer.body?.cancel();
    return new Response(null, { status: answer.status });
  };
}

function isRequest(body: RequestInit['body']): boolean {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  return typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
}
