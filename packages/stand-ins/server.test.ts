import { afterAll, beforeAll, expect, test } from 'vitest';
import { standInModels } from './models.ts';
import { type StandIns, startStandIns } from './server.ts';
import { openaiClient } from './test-support/converse.ts';

let standIns: StandIns;
beforeAll(async () => {
  standIns = await startStandIns({ host: '127.0.0.1' });
});
afterAll(() => standIns.close());

test('the base URLs name the port that was taken', () => {
  expect(standIns.decisionBaseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  expect(standIns.baseUrl).toBe(`${standIns.decisionBaseUrl}/v1`);
});

test('every model is listed and says that it is a stand-in', async () => {
  const { data } = await openaiClient(standIns.baseUrl).models.list();
  expect(data.map(({ id }) => id)).toEqual([
    'stand-in',
    'stand-in-vision',
    'stand-in-speech',
    'stand-in-decision',
    'stand-in-embedding',
  ]);
  for (const { description } of standInModels) expect(description).toMatch(/^Stand-in for/);
});

test('an unknown path is a 404, another method a 405 that names the right one', async () => {
  const unknown = await fetch(`${standIns.baseUrl}/moderations`, { method: 'POST' });
  expect(unknown.status).toBe(404);
  const wrong = await fetch(`${standIns.baseUrl}/chat/completions`);
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get('allow')).toBe('POST');
});

test('closing ends open connections and frees the port', async () => {
  const other = await startStandIns({ host: '127.0.0.1' });
  await fetch(`${other.baseUrl}/models`).then((response) => response.text());
  await other.close();
  await expect(fetch(`${other.baseUrl}/models`)).rejects.toThrow();
});
