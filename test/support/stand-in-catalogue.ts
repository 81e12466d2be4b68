import { type StandIns, standInModels } from '@errand/stand-ins';

const price = {
  chat: { inputPerMillionTokens: 0.4, outputPerMillionTokens: 1.6 },
  vision: { inputPerMillionTokens: 0.4, outputPerMillionTokens: 1.6 },
  speech: { perSecond: 0.0001 },
  decision: { inputPerMillionTokens: 0.1, outputPerMillionTokens: 0 },
  embedding: { inputPerMillionTokens: 0.02 },
};

/** A catalogue with a stand-in for each role, served at these addresses. */
export const standInCatalogue = ({ baseUrl, decisionBaseUrl }: StandIns) => ({
  models: standInModels.map(({ id, kind, description }) => ({
    id,
    kind,
    description,
    upstream: { baseUrl: kind === 'decision' ? decisionBaseUrl : baseUrl, model: id },
    price: price[kind],
    ...(kind === 'chat' || kind === 'vision' ? { contextTokens: 131_072 } : {}),
    ...(kind === 'decision' ? { engine: 'systemone' } : {}),
  })),
  roles: {
    reasoning: 'stand-in',
    vision: 'stand-in-vision',
    speech: 'stand-in-speech',
    decision: 'stand-in-decision',
  },
});
