import { boundCompletion, type CompletionBound, priceWork, type Taking, type Work } from '@errand/money';
import type { Price } from '@errand/platform';
import type { Model } from './catalogue.ts';
import { type EmbeddingInput, textsOf } from './embed.ts';
import { type Impact, impactTotals } from './impact/measure-impact.ts';
import { countTokens } from './tokens.ts';
import { inputOnly } from './usage.ts';

/** What servers put around a text, such as its beginning and its end. */
const tokensAround = 4;

/** What embeddings of the input may cost at most. They have no output. */
export function boundEmbedding(price: Price, model: Model, input: EmbeddingInput): CompletionBound {
  const { contextTokens = Number.MAX_SAFE_INTEGER } = model;
  const mostOf = (text: string | readonly number[]) =>
    tokensAround + (typeof text === 'string' ? Buffer.byteLength(text) : text.length);
  return boundCompletion(price, {
    mostInputTokens: textsOf(input).reduce((sum, text) => sum + Math.min(contextTokens, mostOf(text)), 0),
    countInput: () => countEmbedded(model, input),
    outputTokens: 0,
  });
}

/** The tokens of the input by o200k, of each text no more than the model reads. */
export async function countEmbedded({ contextTokens }: Model, input: EmbeddingInput): Promise<number> {
  let tokens = 0;
  for (const text of textsOf(input))
    tokens +=
      typeof text === 'string'
        ? await countTokens(text, contextTokens)
        : Math.min(text.length, contextTokens ?? text.length);
  return tokens;
}

interface Embedded {
  model: string;
  price: Price;
  inputTokens: number;
  impact?: Impact;
}

/** What embeddings are charged for. */
export const embeddingWork = ({ inputTokens, impact, ...work }: Embedded, { upstream }: Taking): Work =>
  priceWork({
    kind: 'embedding',
    ...work,
    ...inputOnly(inputTokens),
    upstream,
    ...(impact && impactTotals(impact)),
  });
