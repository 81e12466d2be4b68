import { limits, numberParameter, textParameter } from '@errand/platform';

export const exampleEntry = {
  id: 'entry_1',
  at: '2026-11-21T10:00:00.000Z',
  kind: 'completion',
  model: 'writer',
  inputTokens: 120,
  outputTokens: 40,
  amount: '-0.0002',
};

export const pageParameters = {
  limit: numberParameter('Entries on the page.', {
    minimum: 1,
    maximum: limits.ledgerPageEntries,
    fallback: limits.ledgerPageEntries,
  }),
  cursor: textParameter("The page before's `cursor`, with the same other parameters."),
};
