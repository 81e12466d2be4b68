import { UpstreamError } from '@errand/models';
import { ownProperty } from '../json-object.ts';
import { atRoot, postJson } from './ask.ts';
import type { Layout } from './label-reader/lay-out.ts';
import type { ReadSlots, Slot } from './label-reader/slot.ts';

/** The most that vLLM returns unless it is started with a higher `--max-logprobs`. */
export const topTokens = 20;

/** vLLM returns, for each position of the prompt, the likeliest tokens and the prompt's own token. */
export const readPromptSlots: ReadSlots = async (upstream, layout, asking) => {
  const body = JSON.stringify({
    model: upstream.model,
    prompt: layout.ids,
    max_tokens: 1,
    temperature: 0,
    prompt_logprobs: topTokens,
  });
  const answer = await postJson(atRoot(upstream), { path: '/v1/completions', body, ...asking });
  const positions = ownProperty(ownProperty(ownProperty(answer, 'choices'), 0), 'prompt_logprobs');
  if (!Array.isArray(positions) || positions.length !== layout.ids.length)
    throw new UpstreamError('unreadable');
  return layout.slots.map((position) => readPosition(positions[position], layout));
};

function readPosition(entries: unknown, { placeholder }: Layout): Slot {
  if (typeof entries !== 'object' || entries === null) throw new UpstreamError('unreadable');
  const logprobs = new Map<number, number>();
  let highestLogprob = 0;
  let mass = 1;
  for (const [key, entry] of Object.entries(entries)) {
    const id = Number(key);
    const logprob = ownProperty(entry, 'logprob');
    const rank = ownProperty(entry, 'rank');
    if (typeof logprob !== 'number') throw new UpstreamError('unreadable');
    logprobs.set(id, logprob);
    mass -= Math.exp(logprob);
    // The prompt's own token may be less likely than tokens that were left out.
    const own = id === placeholder && !(typeof rank === 'number' && rank <= topTokens);
    if (!own) highestLogprob = Math.min(highestLogprob, logprob);
  }
  return { logprobs, omitted: { highestLogprob, mass } };
}
