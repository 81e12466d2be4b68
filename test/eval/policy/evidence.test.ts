import { expect, test } from 'vitest';
import { gather } from './evidence.ts';

const readings = (...texts: string[]) =>
  texts.map((text, i) => ({
    source: `https://site.test/${i}`,
    number: i + 1,
    text,
    title: '',
    date: '',
    isMarked: true,
  }));

const found = (question: string, ...texts: string[]) => {
  const { steps, open } = gather(question, readings(...texts));
  return { steps: steps.map((step) => step.map(({ unit }) => unit.text)), isComplete: open.length === 0 };
};

test('the sentence with the name and every word of the question is found', () => {
  const text = 'The revenue of Tarvel was 7 crowns in 2030. The revenue of Tarvel was 9 crowns in 2031.';
  expect(found('What was the revenue of Tarvel in 2031?', text)).toEqual({
    steps: [['The revenue of Tarvel was 9 crowns in 2031.']],
    isComplete: true,
  });
});

test('a sentence about something else leaves the question open', () => {
  expect(found('How many ships does Tarvel own?', 'Tarvel employs 7 people.').isComplete).toBe(false);
});

test('the next step goes on from the name that the last one brought', () => {
  const { steps, isComplete } = found(
    'On which river lies the town where Mira was born?',
    'Mira was born in Belmere.',
    'Kelvel lies on the river Ash. Belmere lies on the river Oran.',
  );
  expect(steps).toEqual([['Mira was born in Belmere.'], ['Belmere lies on the river Oran.']]);
  expect(isComplete).toBe(true);
});

test('other figures in another source are a contradiction', () => {
  const { steps } = found(
    'How many roofs did the Ash Storm destroy?',
    ...['12', '15', '12'].map((n) => `The Ash Storm destroyed ${n} roofs.`),
  );
  expect(steps[0]).toHaveLength(2);
});

test('the row of a table that has the name is found, with the heads of its columns', () => {
  const table = '| Product | Price in Belmere |\n| --- | --- |\n| Kelvel lamp | 12 |\n| Oran lamp | 15 |';
  const { steps } = gather('What is the price of the Oran lamp in Belmere?', readings(table));
  expect(steps[0]?.[0]?.unit.row).toEqual({
    heads: ['Product', 'Price in Belmere'],
    cells: ['Oran lamp', '15'],
  });
});

test('rows of comma-separated values have the first row of their passage as head', () => {
  const text = '[Passage 9 of 9]\nCrate,Place,Bolts\nCrate 8,Shed 2,12\nOran crate,Shed 6,"1,204"';
  const { steps } = gather('How many bolts are in the Oran crate?', readings(text));
  expect(steps[0]?.[0]?.unit.row).toEqual({
    heads: ['Crate', 'Place', 'Bolts'],
    cells: ['Oran crate', 'Shed 6', '1,204'],
  });
});

test("a tool's own remarks about a passage are no sentences of the material", () => {
  const text = '[1] https://site.test/0\n\n[Passage 3 of 9 | Tarvel founded]\nNothing else.';
  expect(found('Who founded Tarvel?', text).steps).toEqual([]);
});
