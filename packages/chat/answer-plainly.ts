import {
  askWhole,
  logFailure,
  type ModelUpstream,
  measureImpact,
  parseAnswer,
  type Trial,
  tryUpstreams,
  UpstreamError,
  type WholeAnswer,
} from '@errand/models';
import { type Deadline, isDomainError } from '@errand/platform';
import type { ChatDeps } from './deps.ts';
import type { Native, ReadWhole } from './dialect.ts';
import { toDomainError } from './failure.ts';
import { noteHiddenReasoning, omitsThinking } from './hidden-reasoning.ts';
import { measureUsage } from './measure-usage.ts';
import { askWithLimit, completionsPath, nativeOf } from './output-limit.ts';
import { type ChatCall, countAnswer, overrunOf, workOf } from './paid-call.ts';
import { createWrittenText } from './written-text.ts';

const answerBytes = 64 * 1024 * 1024;

interface Asking extends Pick<Native, 'path' | 'headers'> {
  body: Uint8Array;
  read(bytes: Buffer): ReadWhole;
}

interface Answer extends WholeAnswer, Omit<ReadWhole, 'bytes'> {
  upstream: ModelUpstream;
  isNative: boolean;
  /** Whether the upstream was asked in Messages for a caller of another dialect: it is always told how much to write. */
  isTranslated: boolean;
}

/**
 * Answers a completion in one piece, as the request's dialect writes it. The completion is charged before this returns. Throws `DomainError`, or the signal's reason when the work is aborted; then nothing is
 * charged yet.
 */
export async function answerPlainly(
  deps: ChatDeps,
  call: ChatCall,
  deadline: Deadline,
): Promise<Buffer<ArrayBuffer>> {
  const { request } = call;
  const { upstream, inferenceMilliseconds, isTranslated, ...answer } = await askUpstreams(
    deps,
    call,
    deadline,
  );
  const { parsed } = answer;
  const written = createWrittenText();
  if (answer.addWritten) answer.addWritten(written);
  else written.add(parsed);
  const measured = await measureUsage(request, {
    upstream,
    reported: parsed.usage,
    countOutput: () => countAnswer(call, { written, hiddenTokens: answer.hiddenTokens }),
  });
  const { tokens, usage } = measured;
  const overrunNanoEuro = isTranslated ? 0 : overrunOf(call, measured);
  if (!omitsThinking(request, upstream.api))
    noteHiddenReasoning(deps, { model: request.model, usage: tokens, written });
  call.paid.learn(async () => ({ ...workOf(call, tokens), overrunNanoEuro }));
  const impact = await measureImpact(deps, request.model, { inferenceMilliseconds, usage: tokens });
  deadline.commit();
  const finishReasons = deps.accounts.spans && parsed.choices.map(finishReasonOf);
  await call.paid.settle({ ...workOf(call, tokens, impact), overrunNanoEuro }, { finishReasons });
  return request.answering.whole(request, { ...answer, tokens, usage, impact });
}

const finishReasonOf = (choice: unknown): unknown =>
  (choice as { finish_reason?: unknown } | null)?.finish_reason;

async function askUpstreams(deps: ChatDeps, call: ChatCall, { signal }: Deadline): Promise<Answer> {
  const { model } = call.request;
  let asked: ModelUpstream | undefined;
  // The carbon intensity is cached for an hour. If it must be fetched, a fetch that starts now ends before the
  // answer arrives.
  void deps.carbonIntensity();
  try {
    const attempt = (upstream: ModelUpstream, trial: Trial) => {
      asked = upstream;
      const ask = async ({ path, headers, body, read }: Asking) => {
        const { taking } = call.paid;
        const answer = await askWhole(deps, upstream, {
          path,
          headers,
          body,
          signal: trial.signal,
          heard: trial.heard,
          taking,
          limitBytes: answerBytes,
        });
        const whole = read(answer.bytes);
        const isTranslated = whole.bytes !== undefined;
        const isNative = native !== undefined && !isTranslated;
        return { ...answer, ...whole, isNative, isTranslated, upstream };
      };
      const native = nativeOf(deps, call.request, upstream);
      if (native) {
        const body = native.body(call.request, upstream, call.outputTokens);
        return ask({ path: native.path, headers: native.headers, body, read: readBy(native) });
      }
      return askWithLimit(deps, call, upstream, (body) =>
        ask({ path: completionsPath, body: body(), read: readCompletion }),
      );
    };
    return await tryUpstreams(deps, model, attempt, signal);
  } catch (error) {
    if (asked && isDomainError(signal.reason, 'timed_out'))
      logFailure(deps, { model, upstream: asked, error: new UpstreamError('timeout') });
    signal.throwIfAborted();
    throw toDomainError(error);
  }
}

function readBy({ read }: Native): (bytes: Buffer) => ReadWhole {
  return (bytes) => {
    const parsed = read(bytes);
    if (!parsed) throw new UpstreamError('unreadable');
    return parsed;
  };
}

function readCompletion(bytes: Buffer): ReadWhole {
  const parsed = parseAnswer(bytes) as (Answer['parsed'] & { error?: unknown }) | null;
  // The words of an upstream's refusal must not reach the caller, even if it came with a 200.
  if (!Array.isArray(parsed?.choices) || (parsed.error ?? null) !== null)
    throw new UpstreamError('unreadable');
  return { parsed };
}
