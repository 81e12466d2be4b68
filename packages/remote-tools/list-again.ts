import { cutText, type ToolAnswer, ToolError } from '@errand/agent';
import { limits } from '@errand/platform';
import { describeFailure } from './describe-failure.ts';
import { type RemoteServer, withoutSecrets } from './server.ts';
import type { Sessions } from './sessions.ts';

/** Why a server's tools cannot be listed, in words of ours. */
export const listProblem = (error: unknown): string =>
  isTimeout(error) ? 'it took too long to answer' : (describeFailure(error) ?? 'it refuses');

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

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
