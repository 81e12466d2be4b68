import { cutText, mayHaveActed, type ToolAnswer, ToolError, type ToolInput } from '@errand/agent';
import { limits } from '@errand/platform';
import { FetchError } from '@errand/web';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Called, Connection } from './connection.ts';
import { type RemoteServer, withoutSecrets } from './server.ts';
import { ForgottenSession, type Sessions } from './sessions.ts';

/** Calls a server's tool. What the server says, of an error too, is material from outside. */
export async function callTool(
  sessions: Sessions,
  server: RemoteServer,
  called: Called & { acts: boolean },
  { signal, room }: ToolInput,
): Promise<ToolAnswer> {
  let isSent = false;
  const call = (connection: Connection) => {
    isSent = true;
    return connection.call(called, signal);
  };
  const outside = (text: string): ToolAnswer => ({
    text: cutText(withoutSecrets(server, text).toWellFormed(), room.wholeCharacters),
    isOutside: true,
  });
  try {
    const result = await sessions.use(server, signal, call, { mayRepeat: !called.acts });
    const text = resultText(result);
    return outside(result.isError ? `Error: The tool failed: ${text}` : text);
  } catch (error) {
    signal.throwIfAborted();
    const problem = describeFailure(error);
    if (problem !== undefined) {
      const words = `The server ${server.label} could not be asked: ${problem}.`;
      const isUnknown = called.acts && isSent && !isRefusal(error);
      throw new ToolError(isUnknown ? `${words} ${mayHaveActed}` : words);
    }
    return outside(`Error: The server refuses the call: ${(error as Error).message}`);
  }
}

const shownCharacters = 2_000;

/** Asks a server whose tools the run does not have. */
export async function listAgain(
  sessions: Sessions,
  server: RemoteServer,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { label } = server;
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(limits.remoteListMilliseconds)]);
    const tools = await sessions.use(server, within, (connection) => connection.list(within));
    const names = tools.map(({ name }) => name).join(', ');
    const text = `The server ${label} answers now, but it gave this run no tools that fit, and a run's tools are those of its beginning. What it has: ${names}`;
    return { text: cutText(withoutSecrets(server, text).toWellFormed(), shownCharacters), isOutside: true };
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolError(`The tools of the server ${label} cannot be listed: ${listProblem(error)}.`);
  }
}

/** Why a server's tools cannot be listed, in words of ours. */
export const listProblem = (error: unknown): string =>
  isTimeout(error) ? 'it took too long to answer' : (describeFailure(error) ?? 'it refuses');

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

const statusOf = (error: unknown): unknown => ((error ?? {}) as { data?: { status?: unknown } }).data?.status;

/** Whether the server says that it has not done what it was asked to do. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return error instanceof ForgottenSession || (typeof status === 'number' && status >= 400 && status < 500);
}

/** Why a server could not be asked, in words of ours for the model; undefined if the server itself has worded it. */
function describeFailure(error: unknown): string | undefined {
  const cause = fetchErrorIn(error);
  if (cause?.code === 'too_large')
    return `its answer is larger than ${limits.remoteAnswerBytes / 1_000_000} MB`;
  if (cause) return cause.message;
  if (error instanceof ForgottenSession)
    return 'it has forgotten the session of this run, and has not made the call. The next call begins a new one';
  const { code } = (error ?? {}) as { code?: unknown };
  const status = statusOf(error);
  if (status === 401 || status === 403) return `it refuses the authorization of this run (${status})`;
  if (typeof status === 'number') return `it answers with the status ${status}`;
  if (code === 'REQUEST_TIMEOUT') return 'it took too long to answer';
  return typeof code === 'number' ? undefined : 'it does not answer as a server of tools does';
}

function fetchErrorIn(error: unknown): FetchError | undefined {
  if (error instanceof FetchError) return error;
  return error instanceof Error ? fetchErrorIn(error.cause) : undefined;
}

type Part = CallToolResult['content'][number];

/** What a tool answered, as text: other parts are named with their kind and size. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const texts = content.map(partText);
  if (texts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return texts.join('\n\n') || 'The tool answered nothing.';
}

function partText(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'image' || part.type === 'audio') return named(part.type, part.mimeType, part.data);
  if (part.type === 'resource_link') return `[link to a resource: ${part.uri}]`;
  const { resource } = part;
  if ('text' in resource) return `${resource.uri}\n${resource.text}`;
  return named('resource', resource.mimeType ?? resource.uri, resource.blob);
}

const named = (kind: string, type: string, base64: string): string =>
  `[${kind}, ${type}, ${Math.floor((base64.length * 3) / 4)} bytes: not shown]`;
