import { expect, test } from 'vitest';
import { startStandIns } from './server.ts';
import { openaiClient } from './test-support/converse.ts';

test('the stand-in for an embedding model has vectors of length 1, nearer the more words two texts share', async () => {
  const standIns = await startStandIns({ host: '127.0.0.1' });
  try {
    const client = openaiClient(standIns.baseUrl);
    const input = [
      'The ferry leaves at six.',
      'When does the ferry leave?',
      'Bread weighs four pounds.',
      '?',
    ];
    const { data, usage } = await client.embeddings.create({ model: 'stand-in-embedding', input });
    const vectors = data.map(({ embedding }) => embedding);
    const product = (one: number, other: number) =>
      vectors[one]!.reduce((sum, number, i) => sum + number * vectors[other]![i]!, 0);
    for (const [i] of input.entries()) expect(product(i, i)).toBeCloseTo(1);
    expect(product(0, 1)).toBeGreaterThan(product(0, 2) + 0.3);
    expect(usage.prompt_tokens).toBeGreaterThan(0);
    const unknown = client.embeddings.create({ model: 'stand-in', input });
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  } finally {
    await standIns.close();
  }
});
