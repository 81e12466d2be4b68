import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { describeError, type Log, limits, rawWriteOf } from '@errand/platform';
import type { LambdaContext, StreamingHandler } from './runtime.ts';
import { toRequest } from './to-request.ts';

export type Answer = (request: Request) => Response | Promise<Response>;

/**
 * A handler for a function URL with streamed responses. An answer that breaks off fails the invocation, so that a client
 * sees a broken connection and not an end. The handler's promise settles after `whenDone`, so that Lambda does not freeze
 * the process before work that the answer did not wait for is done. (Its runtime client, 4.0.2, waits for the promise.)
 */
export function serve(
  answer: Answer,
  { log, whenDone }: { log: Log; whenDone(): Promise<void> },
): StreamingHandler {
  return awslambda.streamifyResponse(async (event, responseStream, context) => {
    const deadline = endBeforeDeadline(context);
    try {
      const response = await answer(toRequest(event, deadline.signal));
      await send(response, responseStream);
    } catch (error) {
      log.error('response broke off', { awsRequestId: context.awsRequestId, ...describeError(error) });
      throw error;
    } finally {
      deadline.clear();
      await whenDone();
    }
  });
}

/** The signal aborts before the invocation's time is up. Run streams then end cleanly, and clients resume them by id. */
function endBeforeDeadline(context: LambdaContext): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const left = context.getRemainingTimeInMillis() - limits.invocationEndMilliseconds;
  const timer = setTimeout(() => controller.abort(new Error('the invocation ends')), Math.max(0, left));
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

async function send(response: Response, responseStream: Writable): Promise<void> {
  const out = awslambda.HttpResponseStream.from(responseStream, {
    statusCode: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie')),
    cookies: response.headers.getSetCookie(),
  });
  // AWS's runtime client (4.0.2) sends status and headers with the first write, never with the end. SST's sends them at once.
  out.write('');
  const write = rawWriteOf(response);
  if (write) {
    // Destroying the stream would end the process of AWS's runtime client, with the charge that is still to be written.
    if (!(await write(out, { cutOff() {} }))) throw new Error('the client does not read');
    return;
  }
  for await (const chunk of response.body ?? []) if (!out.write(chunk)) await once(out, 'drain');
  out.end();
}
