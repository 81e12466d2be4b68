import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { imageUrlRules, modelKinds, modelSchema, speechProtocolNames } from './catalogue.ts';
import { decisionEngines } from './decision-engines.ts';
import { defaultRules } from './field-rules.ts';
import { parseCatalogue } from './parse-catalogue.ts';

const page = readFileSync(new URL('../../docs/catalogue.md', import.meta.url), 'utf8');

test('every example of docs/catalogue.md is a valid catalogue', () => {
  const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));
  expect(examples).toHaveLength(9);
  for (const example of examples) expect(parseCatalogue(example, () => 'secret').models).not.toEqual([]);
});

test('docs/catalogue.md names every field of a request that does not pass, with its rule', () => {
  const [, table = ''] = /## Fields of a request\n[\s\S]*?\n\n(\|[\s\S]*?)\n\n/.exec(page) ?? [];
  const [drop = '', ...refuse] = table.split('\n').slice(2);
  const notFields = ['drop', 'refuse', 'function', 'custom'];
  const rulesIn = (text: string, rule: string) =>
    [...text.matchAll(/`([^`]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !notFields.includes(name))
      .map((name) => [name, rule]);
  const rules = Object.fromEntries([...rulesIn(drop, 'drop'), ...rulesIn(refuse.join(), 'refuse')]);
  expect(rules).toEqual(defaultRules);
});

test('docs/catalogue.md says what every field means, and names every kind, engine and speech protocol', () => {
  const [, table = ''] = /## A model\n+([\s\S]*?)\n\n/.exec(page) ?? [];
  const fields = Object.keys(modelSchema.entries);
  const words = [...modelKinds, ...imageUrlRules, ...decisionEngines, ...speechProtocolNames];
  for (const word of [...fields, ...words]) expect(table).toContain(`\`${word}\``);
});
