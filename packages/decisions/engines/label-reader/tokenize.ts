import { type ModelUpstream, UpstreamError } from '@errand/models';
import { ownProperty } from '../../json-object.ts';
import { atRoot, postJson } from '../ask.ts';

interface Tokens {
  ids: number[];
  /** The context of the server's model in tokens, if the server reports it. */
  modelTokens?: number;
}

/** Tokenizes a text with `POST /tokenize`, which vLLM and SGLang share. `special` adds the model's special tokens. */
export async function tokenize(
  upstream: ModelUpstream,
  { text, special }: { text: string; special: boolean },
  signal?: AbortSignal,
): Promise<Tokens> {
  const answer = await postJson(atRoot(upstream), {
    path: '/tokenize',
    body: JSON.stringify({ model: upstream.model, prompt: text, add_special_tokens: special }),
    signal,
  });
  const ids = ownProperty(answer, 'tokens');
  if (!Array.isArray(ids) || !ids.every((id) => Number.isSafeInteger(id) && id >= 0))
    throw new UpstreamError('unreadable');
  const modelTokens = ownProperty(answer, 'max_model_len');
  return { ids, ...(typeof modelTokens === 'number' && modelTokens > 0 && { modelTokens }) };
}
