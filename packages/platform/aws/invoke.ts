import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { AwsSettings } from '../config.ts';
import { limits } from '../limits.ts';

/**
 * Calls a Lambda function and waits for its answer. Throws `FunctionFailure` if the function gave none, and the signal's
 * reason: the function then works on, because Lambda cannot be told to stop.
 */
export type InvokeFunction = (
  name: string,
  call: object,
  options: { signal: AbortSignal },
) => Promise<unknown>;

/** A function ended without an answer. */
export class FunctionFailure extends Error {
  override readonly name = 'FunctionFailure';
  /** Such as `Sandbox.Timedout` or `Runtime.ExitError`, or the name of an error that the function did not catch. */
  readonly errorType: string;

  constructor(errorType: string) {
    super(`the function ended without an answer: ${errorType}`);
    this.errorType = errorType;
  }
}

/** What Lambda answers in place of a function that failed. */
interface Failure {
  errorType?: unknown;
  errorMessage?: unknown;
}

interface LoadedSdk {
  sdk: typeof import('@aws-sdk/client-lambda');
  lambda: LambdaClient;
}

/** The first call loads Lambda's SDK, so that functions which call none start sooner. */
export function createInvoke(settings: Pick<AwsSettings, 'region'>): InvokeFunction {
  let loaded: Promise<LoadedSdk> | undefined;
  const load = () => {
    loaded ??= import('@aws-sdk/client-lambda').then((sdk) => ({ sdk, lambda: createClient(sdk, settings) }));
    return loaded;
  };
  return async (name, call, { signal }) => {
    const { sdk, lambda } = await load();
    const command = new sdk.InvokeCommand({ FunctionName: name, Payload: JSON.stringify(call) });
    const { FunctionError, Payload } = await lambda
      .send(command, { abortSignal: signal })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
    const answer: unknown = JSON.parse(Payload?.transformToString() ?? 'null');
    if (FunctionError !== undefined) throw new FunctionFailure(errorTypeOf(answer as Failure | null));
    return answer;
  };
}

/** Lambda leaves the type of a timeout out of some answers, and tells a process that was killed for its memory by its message. */
function errorTypeOf(failure: Failure | null): string {
  const message = String(failure?.errorMessage);
  if (/Task timed out/.test(message)) return 'Sandbox.Timedout';
  if (/signal: (killed|aborted)/.test(message)) return 'Runtime.OutOfMemory';
  return String(failure?.errorType ?? 'Unhandled');
}

const createClient = (sdk: LoadedSdk['sdk'], { region }: Pick<AwsSettings, 'region'>): LambdaClient =>
  new sdk.LambdaClient({
    region,
    // A call that broke off may have been worked on, and each is paid.
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: 2_000,
      socketTimeout: limits.calledFunctionMilliseconds,
      throwOnRequestTimeout: true,
    },
  });
