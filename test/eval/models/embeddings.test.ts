import { expect, test } from 'vitest';
import { embed } from './embeddings.ts';

const vectors = (...input: string[]) =>
  (embed({ model: 'm', input }) as { data: { embedding: number[] }[] }).data.map(
    ({ embedding }) => embedding,
  );
const nearness = (one: number[], other: number[]) =>
  one.reduce((sum, value, i) => sum + value * other[i]!, 0);

test('a question in another language is nearer to the passage that answers than to one about something else', () => {
  const [question, answer, other] = vectors(
    'Wie groß ist die Belegschaft von Tarvel?',
    'It employs 4,512 people.',
    'The clerks of Tarvel compare notes near the bridge.',
  ) as [number[], number[], number[]];
  expect(nearness(question, answer)).toBeGreaterThan(nearness(question, other));
});
