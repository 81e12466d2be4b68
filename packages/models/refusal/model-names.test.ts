import { expect, test } from 'vitest';
import { cleanWords } from './clean-words.ts';

const writer = { id: 'writer', names: ['acme/secret-up-70b', 'shared/name-7b'] };
const judge = { id: 'judge', names: ['acme/judge-up:free', 'shared/name-7b'] };
const known = { id: 'open-llama-8b', names: ['meta/open-llama-8b', 'reasoning', '/srv/hidden-weights.gguf'] };
const hidden = { secrets: [], hosts: [], models: [judge, known, writer] };
const clean = (text: string, model = writer) => cleanWords(text, { hidden, model });

test.each([
  ['acme/secret-up-70b is busy', 'writer is busy'],
  ['acme/judge-up:free is busy', 'judge is busy'],
  ['ACME/Judge-Up:free is busy', 'judge is busy'],
  ['judge-up:free is busy', 'judge is busy'],
  ['judge-up is busy', 'judge is busy'],
  ['secret-up-70b does not exist', 'writer does not exist'],
  ['hidden-weights cannot be loaded', 'open-llama-8b cannot be loaded'],
])('an upstream’s name of any model becomes the model’s id: %s', (text, words) => {
  expect(clean(text)).toBe(words);
});

test('a name that several models have is that of the model which was asked', () => {
  expect(clean('shared/name-7b is busy', writer)).toBe('writer is busy');
  expect(clean('shared/name-7b is busy', judge)).toBe('judge is busy');
});

test.each([
  'acme-secret-up-70b',
  'ACME/Secret-Up-70B-GGUF',
  '/models/secret-up-70b/x.gguf',
  'acme%2Fsecret-up-70b',
  'model=acme_secret_up_70b',
  'secretup70b',
  'secret.up.70b@v2',
])('a longer word that holds a name is removed: %s', (word) => {
  expect(clean(`${word} does not exist`)).toBe('[removed] does not exist');
});

test.each([
  'acme / secret up 70b',
  's e c r e t u p 7 0 b',
  '%73ecret-up-70b',
  '\\u0073ecret-up-70b',
  'secret&#45;&#117;p-70b',
])('nothing is said where a name is in disguise: %s', (name) => {
  expect(clean(`${name} does not exist`)).toBeUndefined();
});

test.each([
  'open-llama-8b has no tools',
  'Open Llama 8B has no tools',
  'reasoning_effort: Extra inputs are not permitted',
  'The default reasoning of the model is off',
  'the judge and the writer disagree',
])('what callers know, and words that every refusal may use, stay: %s', (text) => {
  expect(clean(text)).toBe(text);
});
