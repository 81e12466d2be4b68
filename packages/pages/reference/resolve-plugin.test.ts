import { expect, test } from 'vitest';
// @ts-expect-error The page's scripts have no types.
import { partFor } from './resolve-plugin.js';

const ref = (place: string) => ({ $ref: `#/components/${place}` });
const paths = {
  '/runs': { get: { responses: { 200: ref('responses/Run') } } },
  '/skills': { get: { responses: { 200: ref('schemas/Skill') } } },
};
const components = {
  responses: { Run: { schema: ref('schemas/Run') } },
  schemas: {
    Run: { properties: { parent: ref('schemas/Run'), of: ref('schemas/Owner/properties/id') } },
    Owner: { properties: { id: { type: 'string' } } },
    Skill: { type: 'object' },
  },
};
const document = { security: [{ key: [] }], paths, components };

test('an operation is resolved in its own path and in what that refers to, however far', () => {
  const { Skill, ...schemas } = components.schemas;
  expect(partFor(document, ['paths', '/runs', 'get'])).toEqual({
    security: document.security,
    paths: { '/runs': paths['/runs'] },
    components: { responses: components.responses, schemas },
  });
});

test('a kind of components is resolved without the paths, and any other part in the whole document', () => {
  const { responses, schemas } = components;
  expect(partFor(document, ['components', 'responses'])).toEqual({
    security: document.security,
    paths: {},
    components: { responses, schemas: { Run: schemas.Run, Owner: schemas.Owner } },
  });
  expect(partFor(document, [])).toBe(document);
  expect(partFor(document, ['components'])).toBe(document);
});
