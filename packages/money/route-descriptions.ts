import {
  jsonAnswer,
  limits,
  named,
  numberParameter,
  type RouteDescription,
  refusalSchema,
  textAnswer,
  textParameter,
} from '@errand/platform';
import * as v from 'valibot';
import { creditsView } from './schema.ts';
import { groupFields } from './usage/rows.ts';
import { entriesView, usageView } from './usage/schema.ts';

const exampleEntry = {
  id: 'entry_1',
  at: '2026-11-21T10:00:00.000Z',
  kind: 'completion',
  model: 'writer',
  inputTokens: 120,
  outputTokens: 40,
  amount: '-0.0002',
};

const pageParameters = {
  limit: numberParameter('Entries on the page.', {
    minimum: 1,
    maximum: limits.ledgerPageEntries,
    fallback: limits.ledgerPageEntries,
  }),
  cursor: textParameter("The page before's `cursor`, with the same other parameters."),
};

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
    400: textAnswer(
      'A wrong parameter.',
      `limit: must be a whole number from 1 to ${limits.ledgerPageEntries}`,
    ),
  },
};

const times = {
  from: textParameter('From when: a day, which begins at midnight UTC, or a time in ISO 8601.', '2026-11-01'),
  to: textParameter('Until when, written in the same way; exclusive.', '2026-12-01'),
};

const wrong = { 400: textAnswer('A wrong parameter.', 'to: must be after from') };

const report = jsonAnswer('A row for each group that was used, sorted.', named('UsageReport', usageView), {
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
  rows: [
    {
      day: '2026-11-21',
      amount: '4.98731',
      requests: 12,
      inputTokens: 52_000,
      cachedInputTokens: 0,
      outputTokens: 8_100,
      seconds: 0,
      energy: 105_000,
      emissions: 7_379,
    },
  ],
});

export const listCreditEntries: RouteDescription = {
  summary: 'List ledger entries',
  description: 'Newest first. Amounts are decimal strings of EUR; a charge is negative.',
  tag: 'money',
  query: { ...pageParameters, ...times },
  responses: {
    200: jsonAnswer('A page; `cursor` is there while more follow.', named('CreditEntryList', entriesView), {
      entries: [exampleEntry],
    }),
    ...wrong,
  },
};

export const reportUsage: RouteDescription = {
  summary: 'Sum up what was used and charged',
  description: `Of the last ${limits.usageDaysByDefault} days if no times are given. With \`Accept: text/csv\` the rows come as CSV with a head.`,
  tag: 'money',
  query: {
    ...times,
    groupBy: textParameter(
      `Some of ${groupFields.join(', ')}, with commas between them; not both day and hour. \`day\` if not given.`,
      'day,model',
    ),
    scope: {
      description: '`organisation` needs a key that is marked as operator.',
      schema: v.optional(v.picklist(['account', 'organisation']), 'account'),
      example: 'account',
    },
  },
  responses: {
    200: {
      ...report,
      content: {
        ...report.content,
        'text/csv': { schema: v.string(), example: 'day,amount\n2026-11-21,4.98731\n' },
      },
    },
    ...wrong,
    403: jsonAnswer('The key is not marked as operator of an organisation.', refusalSchema, {
      error: 'Only a key that is marked as operator may read the usage of its organisation',
    }),
  },
};
