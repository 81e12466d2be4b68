import { type ImpactDeps, type Model, priceAt, type UpstreamDeps, type Usage } from '@errand/models';
import { tokensCost } from '@errand/money';
import { DomainError, type ErrorCode, inParallel, limits, type Price, startTimer } from '@errand/platform';
import { askDecision } from '../ask-decision.ts';
import type { Case } from './read-cases.ts';
import type { Read } from './report.ts';

export interface AskedCases {
  /** In the order of the cases. */
  reads: Read[];
  failed: { line: number; code: ErrorCode }[];
  /** The tokens of the cases that were answered. */
  inputTokens: number;
  costNanoEuro: number;
}

/**
 * Asks the model's first upstream each case, a few at a time, uncalibrated whatever the catalogue says. Charges
 * nobody. `onAsked` is called after each case with the number of cases that are done. Throws
 * `upstream_misconfigured` at the first case that fails with this code, and stops the running cases: all others
 * would fail too.
 */
export async function askCases(
  deps: UpstreamDeps & ImpactDeps,
  model: Model,
  cases: readonly Case[],
  onAsked: (done: number) => void = () => {},
): Promise<AskedCases> {
  const { calibration: _, ...uncalibrated } = model;
  const asked = { ...uncalibrated, fallbacks: [] };
  const results: Asked[] = [];
  const stop = new AbortController();
  let done = 0;
  try {
    await inParallel(cases, limits.calibrationCasesAtOnce, async (one, index) => {
      stop.signal.throwIfAborted();
      results[index] = await askCase(deps, asked, one, stop.signal);
      if (!stop.signal.aborted) onAsked(++done);
    });
  } catch (error) {
    stop.abort(error);
    throw error;
  }
  return collect(priceAt(model, deps.clock()), results);
}

type Asked = { read: Read; usage: Usage } | AskedCases['failed'][number];

async function askCase(
  deps: UpstreamDeps & ImpactDeps,
  model: Model,
  { line, type, group, request, answer }: Case,
  stop: AbortSignal,
): Promise<Asked> {
  const timing = new AbortController();
  const timedOut = new DomainError('timed_out');
  const stopTimer = startTimer(deps, limits.answerMilliseconds, () => timing.abort(timedOut));
  const asking = { signal: AbortSignal.any([timing.signal, stop]), taking: { taken: false } };
  try {
    const { probabilities, usage } = await askDecision(deps, model, request, asking);
    const [first] = probabilities;
    if (!first) return { line, code: 'unreadable_answer' };
    const id = request.questions[0]?.id ?? '';
    return { read: { type, id, group, probabilities: first, answer }, usage };
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'upstream_misconfigured')
      return { line, code: error.code };
    throw error;
  } finally {
    stopTimer();
  }
}

function collect(price: Price, results: readonly Asked[]): AskedCases {
  const collected: AskedCases = { reads: [], failed: [], inputTokens: 0, costNanoEuro: 0 };
  for (const result of results) {
    if ('code' in result) {
      collected.failed.push(result);
      continue;
    }
    collected.reads.push(result.read);
    collected.inputTokens += result.usage.inputTokens;
    collected.costNanoEuro += tokensCost(price, result.usage);
  }
  return collected;
}
