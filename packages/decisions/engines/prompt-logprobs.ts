import { UpstreamError } from '@errand/models';
import { ownProperty } from '../own-property.ts';
import { postJson } from './ask.ts';
import type { Layout } from './label-reader/lay-out.ts';
import { labelReader, type ReadSlots, type Slot } from './label-reader/read-labels.ts';

/** The most that vLLM gives unless it is started with a higher `--max-logprobs`. */
const likeliestTokens = 20;

/** vLLM: at each position of the prompt the likeliest tokens, and the prompt's own. */
const readSlots: ReadSlots = async (upstream, layout, signal) => {
  const body = JSON.stringify({
    model: upstream.model,
    prompt: layout.ids,
    max_tokens: 1,
    temperature: 0,
    prompt_logprobs: likeliestTokens,
  });
  const answer = await postJson(upstream, { path: '/v1/completions', body, signal });
  const positions = ownProperty(ownProperty(ownProperty(answer, 'choices'), 0), 'prompt_logprobs');
  if (!Array.isArray(positions) || positions.length !== layout.ids.length)
    throw new UpstreamError('unreadable');
  return layout.slots.map((position) => readPosition(positions[position], layout));
};

function readPosition(entries: unknown, { placeholder }: Layout): Slot {
  if (typeof entries !== 'object' || entries === null) throw new UpstreamError('unreadable');
  const logarithms = new Map<number, number>();
  let highestLogarithm = 0;
  let mass = 1;
  for (const [key, entry] of Object.entries(entries)) {
    const id = Number(key);
    const logarithm = ownProperty(entry, 'logprob');
    const rank = ownProperty(entry, 'rank');
    if (typeof logarithm !== 'number') throw new UpstreamError('unreadable');
    logarithms.set(id, logarithm);
    mass -= Math.exp(logarithm);
    // The prompt's own token may be less likely than those that are not told.
    const own = id === placeholder && !(typeof rank === 'number' && rank <= likeliestTokens);
    if (!own) highestLogarithm = Math.min(highestLogarithm, logarithm);
  }
  return { logarithms, untold: { highestLogarithm, mass } };
}

export const readPromptLogprobs = labelReader(readSlots);
