export const agentId = '0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10';

export const newRun = {
  question:
    'Which river of Europe is the longest? Write it to rivers.csv, and save the answer as longest river.',
  metadata: { ticket: '1042' },
};

export const newRunForm = {
  question: 'What is in this report? Save the answer as report.',
  file: '# Report\n\nSales grew by 4 %.',
};

export const unknownSkill = {
  error: {
    message: 'Skill "tone": no skill of this name is visible to you.',
    type: 'invalid_request_error',
    param: 'skills',
    code: 'skill_unresolved',
    reason: 'unknown',
  },
};

export const run = {
  agentId,
  status: 'succeeded',
  result: 'Sales grew by 4 % [1].',
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:40.000Z',
  expiresAt: '2026-11-22T10:00:00.000Z',
  question: 'What does the report say about the year 2025?',
  model: 'writer',
  citations: [
    {
      type: 'url_citation',
      url: 'https://example.com/report.pdf',
      title: 'Annual report',
      number: 1,
      startIndex: 0,
      endIndex: 22,
      passage: 'Sales were 4 % higher than in the year before.',
      quote: 'Sales were 4 % higher than in the year before.',
      place: 'page 12',
    },
  ],
  uncitedSentences: 0,
  usage: {
    inputTokens: 5210,
    cachedInputTokens: 0,
    outputTokens: 312,
    audioSeconds: 0,
    completions: 3,
    credits: '0.005834',
  },
};

const bridge = {
  ...run.citations[0],
  title: 'Bridges',
  startIndex: 20,
  endIndex: 33,
  passage: 'The Moormanbrug can be opened.',
  quote: 'The Moormanbrug can be opened.',
};

/** The answer of a run with a schema. */
export const valueRun = {
  ...run,
  result: '{"bridges":[{"name":"Moormanbrug","built":null}]}',
  question: 'Which bridges of Den Helder can be opened?',
  citations: [bridge],
  basis: [{ pointer: '/bridges/0/name', citations: [bridge], support: 0.94 }],
  unsupported: ['/bridges/0/built'],
  output: { bridges: [{ name: 'Moormanbrug', built: null }] },
};

export const doneEvent = { type: 'done', finalText: 'Sales grew by 4 % [1].' };

export const eventPage = {
  events: [{ id: 12, at: '2026-11-21T10:00:40.000Z', event: doneEvent }],
  more: false,
};
