export const request = {
  model: 'writer',
  messages: [
    { role: 'system', content: 'Answer in one sentence.' },
    { role: 'user', content: 'Why is the sky blue?' },
  ],
  temperature: 0.2,
};

const usage = { prompt_tokens: 24, completion_tokens: 17, total_tokens: 41 };

const impact = {
  version: '20261121',
  inferenceTime: { total: 2000, unit: 'ms' },
  energy: { total: 105000, unit: 'Wms' },
  emissions: { total: 7379, unit: 'ugCO2e' },
};

export const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1795305600,
  model: 'writer',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Air scatters blue light more than red light.' },
      finish_reason: 'stop',
    },
  ],
  usage,
  impact,
};

export const chunk = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1795305600,
  model: 'writer',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage,
  impact,
};

export const embeddingRequest = {
  model: 'meaning',
  input: ['The ferry leaves at six.', 'When does the boat go?'],
};

export const embeddings = {
  object: 'list',
  data: [
    { object: 'embedding', index: 0, embedding: [0.6, -0.8] },
    { object: 'embedding', index: 1, embedding: [0.8, -0.6] },
  ],
  model: 'meaning',
  usage: { prompt_tokens: 12, total_tokens: 12 },
  impact,
};

export const models = {
  object: 'list',
  data: [
    {
      id: 'writer',
      object: 'model',
      type: 'model',
      display_name: 'writer',
      created_at: '2026-11-22T00:00:00.000Z',
      created: 1795305600,
      owned_by: 'operator',
      kind: 'chat',
      context_length: 32_768,
      pricing: { currency: 'EUR', inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
      capabilities: { tools: true, images: false, structuredOutput: true, streaming: true },
    },
  ],
  has_more: false,
  first_id: 'writer',
  last_id: 'writer',
  models: [{ name: 'writer', description: 'Writes and calls tools.', release_date: '2026-11-21' }],
};

export const price = {
  model: 'writer',
  kind: 'chat',
  currency: 'EUR',
  inputPerMillionTokens: 1,
  cachedInputPerMillionTokens: 0.5,
  outputPerMillionTokens: 2,
};
