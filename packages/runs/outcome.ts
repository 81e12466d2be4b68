import type { Citation, TerminalEvent } from '@errand/agent';
import { packPayload } from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import { payloadPrefix } from './item-keys.ts';
import type { RunRecord } from './run.ts';

interface Ended {
  event: TerminalEvent;
  citations: readonly Citation[];
  uncitedSentences: number | undefined;
}

type Outcome = Record<string, string | number>;

/** The attributes that a terminal event sets on the run. */
export async function outcomeOf(
  deps: RunStoreDeps,
  run: RunRecord,
  { event, citations, uncitedSentences }: Ended,
  attempt: string,
): Promise<Outcome> {
  if (event.type === 'error') return { error: event.message };
  const text = event.type === 'done' ? event.finalText : event.message;
  const prefix = payloadPrefix(run.agentId);
  const packed = await packPayload(deps.files, `${prefix}result-${attempt}.txt`, text);
  const result: Outcome = 'data' in packed ? { result: packed.data } : { resultStored: packed.stored };
  if (event.type === 'input_required') {
    const { expected, calls } = event;
    const asked = await packPayload(
      deps.files,
      `${prefix}asked-${attempt}.json`,
      JSON.stringify({ expected, calls }),
    );
    return { ...result, ...('data' in asked ? { asked: asked.data } : { askedStored: asked.stored }) };
  }
  if (uncitedSentences !== undefined) result.uncitedSentences = uncitedSentences;
  if (citations.length === 0) return result;
  const json = JSON.stringify(citations);
  const cited = await packPayload(deps.files, `${prefix}citations-${attempt}.json`, json);
  return {
    ...result,
    ...('data' in cited ? { citations: cited.data } : { citationsStored: cited.stored }),
  };
}
