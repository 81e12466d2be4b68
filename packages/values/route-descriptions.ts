import {
  cursorField,
  described,
  describePageLimit,
  jsonAnswer,
  limits,
  named,
  notFound,
  type RouteDescription,
  routeForbidden,
  textAnswer,
  textField,
  textParameter,
  timeField,
} from '@errand/platform';
import * as v from 'valibot';

const listed = v.object({
  name: textField('The name that a run gave it.'),
  updatedAt: timeField('When it was saved last.'),
});
const value = v.object({ ...listed.entries, value: textField('What was saved.') });
const page = v.object({
  values: described('In order of name.', v.array(named('SavedValueName', listed))),
  cursor: v.optional(cursorField()),
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
    400: textAnswer('A wrong parameter.', `limit: must be at most ${limits.pageEntries}`),
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
