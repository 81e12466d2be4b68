import {
  describePageLimit,
  jsonAnswer,
  named,
  notFound,
  type RouteDescription,
  routeForbidden,
  textAnswer,
  textParameter,
} from '@errand/platform';
import * as v from 'valibot';

const time = v.pipe(v.string(), v.isoTimestamp());
const listed = v.object({ name: v.string(), updatedAt: time });
const value = v.object({ name: v.string(), value: v.string(), updatedAt: time });
const page = v.object({
  values: v.array(named('SavedValueName', listed)),
  cursor: v.optional(v.string()),
});

const example = { name: 'budget', updatedAt: '2026-11-21T10:00:00.000Z' };
const path = { name: textParameter('The name of a value. Encode slashes in it.', 'budget') };
const missing = notFound('There is no such value.');
const forbidden = routeForbidden('runs');

export const listValues: RouteDescription = {
  summary: 'List the names of saved values',
  description: 'What runs have saved for the account, in order of name.',
  tag: 'values',
  query: {
    limit: describePageLimit(),
    cursor: textParameter("The page before's `cursor`."),
  },
  responses: {
    200: jsonAnswer('A page; `cursor` is there while more follow.', named('SavedValueList', page), {
      values: [example],
    }),
    400: textAnswer('A wrong parameter.', 'limit: must be at most 100'),
    ...forbidden,
  },
};

export const getValue: RouteDescription = {
  summary: 'Read a saved value',
  description: 'The value with the time at which it was saved.',
  tag: 'values',
  path,
  responses: {
    200: jsonAnswer('The value.', named('SavedValue', value), { ...example, value: '40,000 EUR' }),
    ...missing,
    ...forbidden,
  },
};

export const deleteValue: RouteDescription = {
  summary: 'Forget a saved value',
  description: 'Runs can read it no more.',
  tag: 'values',
  path,
  responses: { 204: { description: 'The value is gone.' }, ...missing, ...forbidden },
};
