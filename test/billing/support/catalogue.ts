/** Of the model `hurried`: no other timer is started for so long. */
export const firstByteSeconds = 7;

/** How many models there are of each kind with a small context: an upstream that fails is left out for a while. */
export const playModels = 16;
/** A context that is easy to fill. */
export const small = { contextTokens: 1_000, outputTokens: 64, maxOutputTokens: 600 };
/** Of the models of plays, in turn. */
export const playPrices = [
  { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
  {
    inputPerMillionTokens: 1,
    cachedInputPerMillionTokens: 0.1,
    cacheWritePerMillionTokens: 5,
    outputPerMillionTokens: 2,
  },
  { inputPerMillionTokens: 0.00001, outputPerMillionTokens: 0.00002 },
  { inputPerMillionTokens: 0, cachedInputPerMillionTokens: 3, outputPerMillionTokens: 20 },
];
export const playPriceOf = (model: number) => playPrices[model % playPrices.length]!;
/** The protocols of upstreams of plays, for models in turn. */
const playApis = [
  ...(['chat', 'messages', 'chat', 'messages'] as const),
  ...(['responses', 'responses', 'responses', 'responses'] as const),
];

/** Prices that are easy to add up: the writer's tokens cost 1,000 and 2,000 nano-euro. */
export function billingCatalogue(url: string, writerPrice?: object): object {
  const upstream = (model: string) => ({ baseUrl: `${url}/v1`, model });
  const writer = {
    kind: 'chat',
    price: writerPrice ?? { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
    compressed: false,
    contextTokens: 32_768,
  };
  return {
    models: [
      { id: 'writer', ...writer, upstream: upstream('upstream-writer') },
      { id: 'hasty', ...writer, upstream: upstream('upstream-writer'), silenceSeconds: 1 },
      {
        id: 'hurried',
        ...writer,
        upstream: upstream('upstream-silent'),
        fallbacks: [upstream('upstream-writer')],
        firstByteSeconds,
      },
      { id: 'thinker', ...writer, upstream: upstream('upstream-thinker'), hiddenReasoning: true },
      {
        id: 'muse',
        ...writer,
        upstream: { ...upstream('upstream-muse'), api: 'messages' },
        hiddenReasoning: true,
      },
      { id: 'essayist', ...writer, upstream: { ...upstream('upstream-essayist'), api: 'messages' } },
      {
        id: 'polyglot',
        ...writer,
        upstream: { ...upstream('upstream-first'), api: 'messages' },
        fallbacks: [upstream('upstream-second'), { ...upstream('upstream-third'), api: 'messages' }],
      },
      { id: 'respondent', ...writer, upstream: { ...upstream('upstream-respondent'), api: 'responses' } },
      {
        id: 'eyes',
        kind: 'vision',
        upstream: upstream('upstream-eyes'),
        price: { inputPerMillionTokens: 3, outputPerMillionTokens: 4 },
        contextTokens: 32_768,
      },
      ...Array.from({ length: playModels }, (_, i) => [
        {
          id: `small-${i}`,
          ...writer,
          ...small,
          upstream: { ...upstream('upstream-small'), api: playApis[i % playApis.length] },
          price: playPriceOf(i),
        },
        {
          id: `scale-${i}`,
          kind: 'decision',
          contextTokens: small.contextTokens,
          upstream: upstream('upstream-scale'),
          price: { ...playPriceOf(i), outputPerMillionTokens: undefined },
        },
      ]).flat(),
      { id: 'ears', kind: 'speech', upstream: upstream('ears-diarize'), price: { perSecond: 0.0001 } },
      {
        id: 'meaning',
        kind: 'embedding',
        upstream: upstream('upstream-meaning'),
        price: { inputPerMillionTokens: 1 },
      },
      {
        id: 'judge',
        kind: 'decision',
        upstream: upstream('upstream-judge'),
        price: { inputPerMillionTokens: 0.1 },
      },
      {
        id: 'labels',
        kind: 'decision',
        engine: 'prompt_logprobs',
        upstream: upstream('upstream-labels'),
        price: { inputPerMillionTokens: 0.1 },
      },
    ],
    roles: { reasoning: 'writer', vision: 'eyes', speech: 'ears', decision: 'judge', embedding: 'meaning' },
  };
}
