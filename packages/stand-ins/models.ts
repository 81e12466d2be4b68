type StandInKind = 'chat' | 'vision' | 'speech' | 'decision' | 'embedding';

interface StandInModel {
  id: string;
  kind: StandInKind;
  description: string;
}

export const standInModels: readonly StandInModel[] = [
  {
    id: 'stand-in',
    kind: 'chat',
    description: 'Stand-in for a chat model: answers by rule, without a language model, and can call tools.',
  },
  {
    id: 'stand-in-vision',
    kind: 'vision',
    description: 'Stand-in for a vision model: tells format and size of an image; it does not see it.',
  },
  {
    id: 'stand-in-speech',
    kind: 'speech',
    description: 'Stand-in for a speech model: measures a recording; it does not hear it.',
  },
  {
    id: 'stand-in-decision',
    kind: 'decision',
    description: 'Stand-in for a decision model: weighs options by the words that they share with the state.',
  },
  {
    id: 'stand-in-embedding',
    kind: 'embedding',
    description:
      'Stand-in for an embedding model: its vectors tell which words texts share, not what they mean.',
  },
];

const releasedOn = '2026-11-21';

export const findModel = (id: string, kinds: readonly StandInKind[]): StandInModel | undefined =>
  standInModels.find((model) => model.id === id && kinds.includes(model.kind));

/** The body of `GET /v1/models`: OpenAI's clients read `data`, the System One client reads `models`. */
export function listModels() {
  return {
    object: 'list',
    data: standInModels.map(({ id, description }) => ({
      id,
      object: 'model',
      created: Date.parse(releasedOn) / 1000,
      owned_by: 'errand-stand-ins',
      description,
    })),
    models: standInModels.map(({ id, description }) => ({
      name: id,
      description,
      release_date: releasedOn,
    })),
  };
}
