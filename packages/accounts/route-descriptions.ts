import { jsonAnswer, named, type RouteDescription, textAnswer } from '@errand/platform';
import { exampleEntry, pageParameters } from './described-entries.ts';
import { creditsView } from './schema.ts';

export const getCredits: RouteDescription = {
  summary: "Show the account's balance",
  description: 'With its newest ledger entries. Amounts are decimal strings of EUR; a charge is negative.',
  tag: 'money',
  query: pageParameters,
  responses: {
    200: jsonAnswer(
      'The balance; `cursor` is there while more entries follow.',
      named('Credits', creditsView),
      {
        balance: '4.98731',
        reserved: '0',
        available: '4.98731',
        budget: {
          amount: '5',
          period: 'day',
          spent: '0.01269',
          left: '4.98731',
          endsAt: '2026-11-23T00:00:00.000Z',
        },
        entries: [exampleEntry],
      },
    ),
    400: textAnswer('A wrong parameter.', 'limit: must be a whole number from 1 to 100'),
  },
};
