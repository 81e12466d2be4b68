import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { madeCatalogue, operatorCatalogue, withAddresses, withModel } from './catalogue.ts';

const upstream = { baseUrl: 'https://models.test/v1', model: 'big' };
const own = {
  models: [
    { id: 'big', kind: 'chat', upstream, fallbacks: [upstream], price: {} },
    { id: 'ears', kind: 'speech', upstream, price: {} },
  ],
  roles: { reasoning: 'other', speech: 'ears' },
};

test("the named model takes the role of reasoning, the catalogue's roles stay, and made models fill the roles that are free", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-eval-'));
  const file = path.join(folder, 'catalogue.json');
  await writeFile(file, JSON.stringify(own));
  const catalogue = await operatorCatalogue({ MODEL_CATALOGUE: file }, 'big');
  const made = madeCatalogue('http://made.test', 1_000);
  const { models, roles } = withModel({ id: 'big', catalogue }, made);
  expect(roles).toEqual({ reasoning: 'big', speech: 'ears', decision: 'made-decisions' });
  expect(models.map(({ id }) => id)).toEqual(['big', 'ears', 'made-decisions']);
  expect(() => withModel({ id: 'small', catalogue }, made)).toThrow('no model small');
  const alone = await operatorCatalogue({ MODEL_BASE_URL: 'https://models.test/v1' }, 'big');
  expect(alone.models[0]).toMatchObject({ id: 'big', upstream: { apiKeyEnv: 'MODEL_API_KEY' } });
  await expect(operatorCatalogue({}, 'big')).rejects.toThrow('MODEL_CATALOGUE');
  await rm(folder, { recursive: true });
});

test('only models that are shown conversations get other addresses, with their fallbacks', () => {
  const [big, ears] = withAddresses(own, () => 'http://recorder.test/0').models;
  expect([big?.upstream, big?.fallbacks]).toEqual([
    { ...upstream, baseUrl: 'http://recorder.test/0' },
    [{ ...upstream, baseUrl: 'http://recorder.test/0' }],
  ]);
  expect(ears?.upstream).toEqual(upstream);
});
