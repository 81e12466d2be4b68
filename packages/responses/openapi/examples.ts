export const request = { model: 'writer', input: 'Why is the sky blue?', max_output_tokens: 200 };

export const answer = {
  id: 'resp_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d',
  object: 'response',
  created_at: 1795305600,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'writer',
  output: [
    {
      type: 'message',
      id: 'msg_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d',
      status: 'completed',
      role: 'assistant',
      content: [
        {
          type: 'output_text',
          text: 'Air scatters blue light more than red light.',
          annotations: [],
          logprobs: [],
        },
      ],
    },
  ],
  usage: {
    input_tokens: 24,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 17,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 41,
  },
  impact: {
    version: '20261121',
    inferenceTime: { total: 2000, unit: 'ms' },
    energy: { total: 105000, unit: 'Wms' },
    emissions: { total: 7379, unit: 'ugCO2e' },
  },
};

export const event = {
  type: 'response.output_text.delta',
  sequence_number: 4,
  item_id: answer.output[0]?.id,
  output_index: 0,
  content_index: 0,
  delta: 'Air',
  logprobs: [],
};

export const runId = '3f1c2a9e-5b7d-4e60-8a1f-9c0d2b4e6f71';

const { impact: _, ...ofModel } = answer;

export const runAnswer = {
  ...ofModel,
  id: runId,
  model: 'agent:default',
  background: true,
  usage: { ...answer.usage, audio_seconds: 0, credits: '0.00058' },
};

export const inputItems = {
  object: 'list',
  data: [
    {
      id: 'msg_in_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d',
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Why is the sky blue?' }],
    },
  ],
  first_id: 'msg_in_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d',
  last_id: 'msg_in_0_0b5c7f5e8f1d4c6a9e3b2a1d0c9f8e7d',
  has_more: false,
};

export const deleted = { id: answer.id, object: 'response', deleted: true };
