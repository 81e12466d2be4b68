import { cutText, type ToolAnswer, ToolError, type ToolInput } from '@errand/agent';
import type { Called } from './connection.ts';
import { describeFailure } from './describe-failure.ts';
import { resultText } from './result-text.ts';
import { type RemoteServer, withoutSecrets } from './server.ts';
import type { Sessions } from './sessions.ts';

/** Calls a server's tool. What the server says, of an error too, is material from outside. */
export async function callTool(
  sessions: Sessions,
  server: RemoteServer,
  called: Called,
  { signal, room }: ToolInput,
): Promise<ToolAnswer> {
  const outside = (text: string): ToolAnswer => ({
    text: cutText(withoutSecrets(server, text).toWellFormed(), room.wholeCharacters),
    isOutside: true,
  });
  try {
    const result = await sessions.use(server, signal, (connection) => connection.call(called, signal));
    const text = resultText(result);
    return outside(result.isError ? `Error: The tool failed: ${text}` : text);
  } catch (error) {
    signal.throwIfAborted();
    const problem = describeFailure(error);
    if (problem !== undefined)
      throw new ToolError(`The server ${server.label} could not be asked: ${problem}.`);
    return outside(`Error: The server refuses the call: ${(error as Error).message}`);
  }
}
