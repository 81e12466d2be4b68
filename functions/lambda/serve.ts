import { once } from 'node:events';
import type { Writable } from 'node:stream';
import {
  DomainError,
  describeError,
  type HttpEnv,
  type Log,
  limits,
  newestVersion,
  rawWriteOf,
  versionHeader,
} from '@errand/platform';
import type { LambdaContext, StreamingHandler } from './runtime.ts';
import { toRequest } from './to-request.ts';

export type Answer = (request: Request, env: HttpEnv['Bindings']) => Response | Promise<Response>;

/**
 * A handler for a function URL with streamed responses. An answer that breaks off fails the invocation: the client sees
 * a broken connection and not an end. The handler's promise settles after `whenDone`, so that background work is done:
 * Lambda freezes the process once the promise has settled (runtime client 4.0.2).
 */
export function serve(
  answer: Answer,
  { log, whenDone }: { log: Log; whenDone(): Promise<void> },
): StreamingHandler {
  return awslambda.streamifyResponse(async (event, responseStream, context) => {
    const deadline = endBeforeDeadline(context);
    try {
      const response = await answer(toRequest(event, deadline.signal), { shutdown: deadline.signal });
      await send(response, responseStream, context);
    } catch (error) {
      log.error('response broke off', { awsRequestId: context.awsRequestId, ...describeError(error) });
      throw error;
    } finally {
      deadline.clear();
      await whenDone();
    }
  });
}

/**
 * The signal aborts before the invocation's time is up. Run streams then end cleanly, for their clients to resume by id,
 * and chat streams with what was delivered, which is charged.
 */
function endBeforeDeadline(context: LambdaContext): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const left = context.getRemainingTimeInMillis() - limits.invocationEndMilliseconds;
  const timer = setTimeout(() => controller.abort(new DomainError('stopping')), Math.max(0, left));
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

async function send(
  response: Response,
  responseStream: Writable,
  { functionVersion }: LambdaContext,
): Promise<void> {
  const out = awslambda.HttpResponseStream.from(responseStream, {
    statusCode: response.status,
    headers: {
      ...Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie')),
      // Checks before a move must not take the version that callers reach for the newest.
      ...(functionVersion === newestVersion && { [versionHeader]: newestVersion }),
    },
    cookies: response.headers.getSetCookie(),
  });
  // AWS's runtime client (4.0.2) sends status and headers only with the first write. SST's sends them at once.
  out.write('');
  const write = rawWriteOf(response);
  if (write) {
    // AWS's runtime client ends the process when the stream is destroyed. Unwritten charges would be lost.
    if (!(await write(out, { cutOff() {} }))) throw new Error('the client does not read');
    return;
  }
  for await (const chunk of response.body ?? []) if (!out.write(chunk)) await once(out, 'drain');
  out.end();
}
