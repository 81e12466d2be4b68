import { parseCatalogue } from '@errand/models';
import { expect, test } from 'vitest';
import { chooseJudge } from './plan.ts';

const judge = {
  id: 'judge',
  kind: 'decision',
  upstream: { baseUrl: 'http://127.0.0.1:1', model: 'judge' },
  price: { inputPerMillionTokens: 1 },
};
const catalogue = parseCatalogue({ models: [judge], roles: { decision: 'judge' } }, () => undefined);
const key = { keyId: 'key', accountId: 'account' };
const limited = { ...key, limits: { models: ['writer'] } };
const body = { question: 'Q?' };

test.each([
  ['the deployment asks for it', true, key, {}, 'judge'],
  ['the creation asks for it', false, key, { proof: true }, 'judge'],
  ['nobody asks for it', false, key, {}, undefined],
  ['the deployment asks for it, and the effort is low', true, key, { effort: 'low' as const }, undefined],
  ['the creation of low effort asks for it', false, key, { effort: 'low' as const, proof: true }, 'judge'],
  ['the creation declines it', true, key, { proof: false }, undefined],
  ['the deployment asks, and the key may not use the model', true, limited, {}, undefined],
  [
    'the creation asks, and the key may not use the model, which is then refused',
    true,
    limited,
    { proof: true },
    'judge',
  ],
])('the model that checks the claims, if %s', (_, runProof, principal, more, expected) => {
  expect(chooseJudge({ catalogue, runProof }, principal, { ...body, ...more })?.id).toBe(expected);
});
