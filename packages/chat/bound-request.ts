import { boundCompletion, type CompletionBound, countInputTokens, type Model, priceAt } from '@errand/models';
import { type Clock, limits } from '@errand/platform';
import { injectSkill, type ResolvedSkill } from '@errand/skills';
import { compressMessages } from './compress.ts';
import type { Message } from './edit-messages.ts';
import type { ChatRequestBody } from './schema.ts';

interface Bounded {
  model: Model;
  compressed: boolean;
  sent: Buffer;
  body: ChatRequestBody;
  skill: ResolvedSkill | undefined;
}

/** The instruction of the compressed variant has fewer tokens. */
const compressTokens = 256;

/** What the request may cost at most: its bytes as input, and as output what it asks for or what its model is taken to write. */
export function boundRequest({ clock }: { clock: Clock }, request: Bounded): CompletionBound {
  const { model, compressed, sent, body, skill } = request;
  const pictures = picturesOf(body.messages);
  const imageTokens = pictures.count * (model.imageTokens ?? limits.reservedImageTokens);
  const added = Buffer.byteLength(skill?.block ?? '') + (compressed ? compressTokens : 0);
  const asked = Math.max(body.max_tokens ?? 0, body.max_completion_tokens ?? 0);
  return boundCompletion(priceAt(model, clock()), {
    mostInputTokens: Math.min(
      sent.length - pictures.bytes + imageTokens + added,
      model.contextTokens ?? Number.MAX_SAFE_INTEGER,
    ),
    countInput: async () => imageTokens + (await countInputTokens({ ...body, messages: shape(request) })),
    outputTokens: asked || usualOutput(model),
    choices: body.n ?? 1,
  });
}

/** The output that is set aside for a request that does not say how much it wants. */
export const usualOutput = ({ outputTokens, maxOutputTokens, contextTokens }: Model): number =>
  Math.min(outputTokens ?? limits.reservedOutputTokens, maxOutputTokens ?? contextTokens ?? Infinity);

function shape({ body, skill, compressed }: Bounded): readonly Message[] {
  const injected = skill ? injectSkill(body.messages, skill) : body.messages;
  return compressed ? compressMessages(injected) : injected;
}

/** The pictures of messages, and the bytes of those that are in the request. */
function picturesOf(messages: ChatRequestBody['messages']): { count: number; bytes: number } {
  let [count, bytes] = [0, 0];
  for (const { content } of messages as readonly Message[]) {
    if (!Array.isArray(content)) continue;
    for (const part of content as ({ image_url?: unknown } | null)[]) {
      if (part?.image_url === undefined) continue;
      count++;
      const url = (part.image_url as { url?: unknown } | null)?.url ?? part.image_url;
      if (typeof url === 'string') bytes += url.length;
    }
  }
  return { count, bytes };
}
