import type { BasisField, Citation, TerminalEvent } from '@errand/agent';
import { packPayload } from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import { payloadPrefix } from './item-keys.ts';
import type { RunRecord } from './run.ts';
import type { Basis } from './run-value.ts';

/** What is known of the answer of a `done` event. */
export interface Answer {
  citations?: readonly Citation[];
  /** If the run has sources. */
  uncitedSentences?: number;
  /** The fields that are facts, of an answer that is a value of the run's schema. */
  basis?: readonly BasisField[];
  /** With it, if they were proved: the pointers of those whose support is under the threshold. */
  unsupported?: readonly string[];
}

type Outcome = Record<string, string | number>;

/** The attributes that a terminal event sets on the run. */
export async function outcomeOf(
  deps: RunStoreDeps,
  run: RunRecord,
  event: TerminalEvent,
  { citations = [], uncitedSentences, basis, unsupported }: Answer,
  attempt: string,
): Promise<Outcome> {
  if (event.type === 'error') return { error: event.message };
  const pack = async (name: string, ending: string, text: string): Promise<Outcome> => {
    const key = `${payloadPrefix(run.agentId)}${name}-${attempt}.${ending}`;
    const packed = await packPayload(deps.files, key, text);
    return 'data' in packed ? { [name]: packed.data } : { [`${name}Stored`]: packed.stored };
  };
  const packJson = (name: string, value: unknown) => pack(name, 'json', JSON.stringify(value));
  if (event.type === 'input_required') {
    const { message, expected, calls } = event;
    return { ...(await pack('result', 'txt', message)), ...(await packJson('asked', { expected, calls })) };
  }
  return {
    ...(await pack('result', 'txt', event.finalText)),
    ...(uncitedSentences !== undefined && { uncitedSentences }),
    ...(citations.length > 0 && (await packJson('citations', citations))),
    ...(basis && (await packJson('basis', { fields: basis, unsupported } satisfies Basis))),
  };
}
