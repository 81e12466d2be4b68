import type { Impact } from '@errand/models';
import { type Clock, newUuid, toSeconds } from '@errand/platform';
import type { Relayed } from './chunk-relay.ts';

interface LastChunk {
  modelId: string;
  usage: object;
  impact: Impact;
  /** The upstream's answer is complete. */
  whole: boolean;
  /** The caller asked for usage on a chunk of its own, with empty choices. */
  separate: boolean;
}

/**
 * The chunk with usage and impact: the last one with a finish_reason that the upstream sent, or one of its own. It says
 * what the upstream's own usage chunk said besides.
 */
export function lastChunk(
  { clock }: { clock: Clock },
  { last, held, usageChunk, finished }: Relayed,
  { modelId, usage, impact, whole, separate }: LastChunk,
): object {
  const identity = held ?? last ?? {};
  const { system_fingerprint, service_tier } = last ?? {};
  // A finish_reason that was passed on before other chunks is said again, so that it stands beside the usage.
  const ending = { index: 0, delta: {}, finish_reason: null, ...(whole && finished && said(finished)) };
  return {
    ...held,
    ...usageChunk,
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
