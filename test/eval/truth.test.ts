import { expect, test } from 'vitest';
import { states, truthsOf } from './truth.ts';

const truth =
  'The revenue of Tarvel Works was 9,120 crowns in 2031.\nProduct: Kelvel lamp; Price in Belmere: 12';

test.each([
  ['The revenue of Tarvel Works was 9,120 crowns in 2031', true],
  ['In 2031, Tarvel Works had a revenue of 9,120 crowns', true],
  ['The revenue of Tarvel Works was 9,420 crowns in 2031', false],
  ['The revenue of Kelvel Works was 9,120 crowns in 2031', false],
  ['Product: Kelvel lamp; Price in Belmere: 12', true],
  ['Product: Kelvel lamp; Price in Belmere: 15', false],
])('whether the corpus states "%s" is %s', (claim, isTrue) => {
  expect(states(truth, claim)).toBe(isTrue);
});

test('a claim is held against the source that it cites, and a decision against its passage', () => {
  const material = {
    path: '/wiki/tarvel',
    title: '',
    contentType: '',
    bytes: new Uint8Array(),
    truth,
    isIndexed: true,
  };
  const { supports, isTrue } = truthsOf([material]);
  const claim = 'Tarvel Works had a revenue of 9,120 crowns in 2031';
  expect(supports('http://127.0.0.1:1/wiki/tarvel', claim)).toBe(true);
  expect(supports('http://127.0.0.1:1/wiki/other', claim)).toBe(false);
  expect(isTrue(claim)).toBe(true);
  expect(isTrue(claim, 'Tarvel Works is old. It is large.')).toBe(false);
});
