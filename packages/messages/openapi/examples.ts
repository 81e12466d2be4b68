const messages = [{ role: 'user', content: 'Why is the sky blue?' }];

export const request = { model: 'writer', max_tokens: 200, messages };

export const countRequest = { model: 'writer', messages };

export const requestId = '7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47';

export const answer = {
  id: 'msg_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d',
  type: 'message',
  role: 'assistant',
  model: 'writer',
  content: [{ type: 'text', text: 'Air scatters blue light more than red light.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 24,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    output_tokens: 17,
  },
  impact: {
    version: '20261121',
    inferenceTime: { total: 2000, unit: 'ms' },
    energy: { total: 105000, unit: 'Wms' },
    emissions: { total: 7379, unit: 'ugCO2e' },
  },
};

export const event = {
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'Air' },
};
