import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { AwsSettings } from '../config.ts';

/**
 * Calls a Lambda function and waits for its answer. Throws `FunctionFailure` if the function gave none, and the signal's
 * reason: the function then works on, because Lambda cannot be told to stop.
 */
export type InvokeFunction = <Answer>(
  name: string,
  call: object,
  options: { signal: AbortSignal },
) => Promise<Answer>;

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

interface LoadedSdk {
  sdk: typeof import('@aws-sdk/client-lambda');
  lambda: LambdaClient;
}

/** The longest that a function is waited for. Functions that are called have less time themselves. */
const answerMilliseconds = 90_000;

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
    const answer = JSON.parse(Payload?.transformToString() ?? 'null');
    if (FunctionError !== undefined) throw new FunctionFailure(errorTypeOf(answer));
    return answer;
  };
}

/** Lambda leaves the type of a timeout out of some answers. */
function errorTypeOf(failure: { errorType?: unknown; errorMessage?: unknown } | null): string {
  if (failure?.errorType !== undefined) return String(failure.errorType);
  return /Task timed out/.test(String(failure?.errorMessage)) ? 'Sandbox.Timedout' : 'Unhandled';
}

const createClient = (sdk: LoadedSdk['sdk'], { region }: Pick<AwsSettings, 'region'>): LambdaClient =>
  new sdk.LambdaClient({
    region,
    maxAttempts: 5,
    requestHandler: {
      connectionTimeout: 2_000,
      socketTimeout: answerMilliseconds,
      throwOnRequestTimeout: true,
    },
  });
