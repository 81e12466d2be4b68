import type { Credits } from '@errand/accounts';
import { measureImpact, readBytes, requestUpstream, tryUpstreams, UpstreamError } from '@errand/models';
import { type Deadline, isDomainError } from '@errand/platform';
import { chargeCompletion } from './charge.ts';
import type { ChatDeps } from './deps.ts';
import { toRefusal } from './failure.ts';
import { measureUsage } from './measure-usage.ts';
import { type ChatRequest, upstreamBody } from './read-request.ts';
import { replaceEntries } from './upstream-body.ts';
import { createWrittenText } from './written-text.ts';

const answerBytes = 64 * 1024 * 1024;

interface Answer {
  bytes: Buffer;
  parsed: { choices: unknown[]; usage?: unknown };
  inferenceMilliseconds: number;
}

/**
 * Answers a completion in one piece: the upstream's answer with our model id, usage and impact. The completion is
 * charged before this returns. Throws `DomainError`, or the signal's reason when the work is aborted.
 */
export async function answerPlainly(
  deps: ChatDeps,
  request: ChatRequest,
  credits: Promise<Credits>,
  deadline: Deadline,
): Promise<Buffer<ArrayBuffer>> {
  const { bytes, parsed, inferenceMilliseconds } = await askUpstreams(deps, request, deadline);
  const written = createWrittenText();
  written.add(parsed);
  const { tokens, usage } = await measureUsage(request, {
    reported: parsed.usage,
    countOutput: written.countTokens,
  });
  await credits;
  deadline.commit();
  const [impact] = await Promise.all([
    measureImpact(deps, request.model, { inferenceMilliseconds, usage: tokens }),
    chargeCompletion(deps, request, credits, tokens),
  ]);
  return replaceEntries(bytes, {
    model: JSON.stringify(request.modelId),
    usage: JSON.stringify(usage),
    impact: JSON.stringify(impact),
  });
}

async function askUpstreams(deps: ChatDeps, request: ChatRequest, { signal }: Deadline): Promise<Answer> {
  try {
    return await tryUpstreams(deps, request.model, async (upstream) => {
      const startedAt = deps.clock();
      const body = upstreamBody(request, upstream);
      const response = await requestUpstream(upstream, { path: '/chat/completions', body, signal });
      const bytes = await readBytes(response, { limitBytes: answerBytes, signal });
      return { bytes, parsed: parseAnswer(bytes), inferenceMilliseconds: deps.clock() - startedAt };
    });
  } catch (error) {
    if (isDomainError(signal.reason, 'timed_out'))
      deps.log.warn('upstream failed', { model: request.modelId, failure: 'timeout' });
    signal.throwIfAborted();
    throw toRefusal(deps.log, request.modelId, error);
  }
}

function parseAnswer(bytes: Buffer): Answer['parsed'] {
  let parsed: (Answer['parsed'] & { error?: unknown }) | null;
  try {
    parsed = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new UpstreamError('unreadable');
  }
  // The words of an upstream's refusal must not reach the caller, even if it came with a 200.
  if (!Array.isArray(parsed?.choices) || (parsed.error ?? null) !== null)
    throw new UpstreamError('unreadable');
  return parsed;
}
