import { UpstreamError } from '@errand/models';
import { ownProperty } from '../json-object.ts';
import { atRoot, postJson } from './ask.ts';
import type { ReadSlots, Slot } from './label-reader/slot.ts';

/** SGLang returns, for each position of the prompt from `logprob_start_len` on, the tokens that it was asked for. */
export const readTokenIdSlots: ReadSlots = async (upstream, layout, asking) => {
  // SGLang returns nothing for the first position, so the range begins one position before the first slot.
  const start = (layout.slots[0] ?? 1) - 1;
  const body = JSON.stringify({
    input_ids: layout.ids,
    sampling_params: { max_new_tokens: 0, temperature: 0 },
    return_logprob: true,
    logprob_start_len: start,
    token_ids_logprob: layout.labels,
    stream: false,
  });
  const answer = await postJson(atRoot(upstream), { path: '/generate', body, ...asking });
  const positions = ownProperty(ownProperty(answer, 'meta_info'), 'input_token_ids_logprobs');
  if (!Array.isArray(positions) || positions.length !== layout.ids.length - start)
    throw new UpstreamError('unreadable');
  return layout.slots.map((position) => readPosition(positions[position - start]));
};

function readPosition(entries: unknown): Slot {
  if (!Array.isArray(entries)) throw new UpstreamError('unreadable');
  const logprobs = new Map<number, number>();
  for (const entry of entries) {
    const logprob = ownProperty(entry, 0);
    const id = ownProperty(entry, 1);
    if (typeof logprob !== 'number' || typeof id !== 'number') throw new UpstreamError('unreadable');
    logprobs.set(id, logprob);
  }
  return { logprobs };
}
