import type { Impact } from '@errand/models';
import { type Clock, newUuid, toSeconds } from '@errand/platform';
import type { Relayed } from './relayed.ts';

interface LastChunk {
  modelId: string;
  usage: object;
  impact: Impact;
  /** Whether the upstream's answer is complete. */
  whole: boolean;
  /** Whether the caller asked for usage in a separate chunk with empty choices. */
  separate: boolean;
}

/**
 * The last chunk, with usage and impact. It is the upstream's held-back chunk with a finish_reason, or a new one.
 * Other fields of the upstream's chunks without choices are kept in it.
 */
export function lastChunk(
  { clock }: { clock: Clock },
  { last, held, withoutChoices, finished }: Relayed,
  { modelId, usage, impact, whole, separate }: LastChunk,
): object {
  const identity = held ?? last ?? {};
  const { system_fingerprint, service_tier } = last ?? {};
  // A finish_reason that was passed on earlier is repeated, so that it stands beside the usage.
  const ending = { index: 0, delta: {}, finish_reason: null, ...(whole && finished && said(finished)) };
  return {
    ...held,
    ...withoutChoices,
    id: identity.id ?? `chatcmpl-${newUuid()}`,
    object: 'chat.completion.chunk',
    created: identity.created ?? toSeconds(clock()),
    model: modelId,
    ...(system_fingerprint !== undefined && { system_fingerprint }),
    ...(service_tier !== undefined && { service_tier }),
    choices: separate ? [] : (held?.choices ?? [ending]),
    usage,
    impact,
  };
}

const said = ({ index, finish_reason }: { index?: unknown; finish_reason?: unknown }) => ({
  ...(index !== undefined && { index }),
  finish_reason,
});
