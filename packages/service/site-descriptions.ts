import { described, jsonAnswer, named, type RouteDescription, textField } from '@errand/platform';
import * as v from 'valibot';

const status = <S extends string>(word: S) =>
  v.object({ status: described('`ok`, or `unavailable` while the store does not answer.', v.literal(word)) });

const ok = jsonAnswer('It can.', named('Health', status('ok')), { status: 'ok' });

export const getHealth: RouteDescription = {
  summary: 'Ask whether requests can be served',
  description:
    'They cannot while the store does not answer, or after the last write of this process has failed, until one succeeds. What is said of the store may be a second old.',
  tag: 'service',
  access: 'public',
  responses: {
    200: { ...ok, description: 'They can.' },
    503: {
      ...jsonAnswer(
        'The store does not answer, or takes no writes.',
        named('Unavailable', status('unavailable')),
        {
          status: 'unavailable',
        },
      ),
      headers: ['Retry-After'],
    },
  },
};

export const getLiveness: RouteDescription = {
  summary: 'Ask whether the process lives',
  description: 'For whoever restarts processes. It does not look at the store.',
  tag: 'service',
  access: 'public',
  responses: { 200: { ...ok, description: 'It does.' } },
};

export const getOpenApi: RouteDescription = {
  summary: 'Read this document',
  description: 'Every route, in OpenAPI 3.1.',
  tag: 'service',
  access: 'public',
  responses: {
    200: jsonAnswer('The document.', v.looseObject({ openapi: textField('The version of OpenAPI.') }), {
      openapi: '3.1.0',
      info: { title: 'Errand', version: '0.1.0' },
      paths: {},
    }),
  },
};
