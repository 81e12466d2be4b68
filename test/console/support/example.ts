import { makePdfOf } from '@errand/documents/testing';
import { type Answer, type ChatRequest, isCheck, type Script } from '../../support/model-server.ts';

export const question = 'What did the depot spend on energy this quarter, and what should we change first?';

export const report = `# Harbour depot, third quarter

## Energy
Electricity came to 41,800 EUR, 9 % more than in the second quarter. Heating came to 12,300 EUR.
Two thirds of the electricity is cooling: the doors of hall B stand open for four hours on a working day.

## People
Fourteen drivers and six people in the halls. One position in hall B is open.
`;

/** A page of a PDF with a heading, and a paragraph for each list of lines. */
function pdfPage(heading: string, paragraphs: readonly (readonly string[])[]) {
  const lines = paragraphs.map((each) => each.map((line) => `(${line}) Tj 0 -16 Td`).join('\n'));
  return {
    data: `BT /F1 20 Tf 72 770 Td (${heading}) Tj ET BT /F1 12 Tf 72 730 Td ${lines.join('\n0 -14 Td\n')} ET`,
  };
}

/** The report with more around it, a page for each heading. */
export const pagedReport = makePdfOf([
  pdfPage('Harbour depot, third quarter', [
    [
      'The depot moved 61,200 tonnes between July and September, 4 % more than in the',
      'second quarter. No day was lost to weather. One crane stood still for two days in',
      'August, and was repaired by its maker under guarantee.',
    ],
    [
      'Income was 1.92 million EUR. Of the new contracts, three are with shipping companies',
      'that came from the neighbouring port, and run for two years each.',
      'The board asked for the cost of energy by its uses, and for measures that can begin',
      'this year. Both are on the next page. Prices are those of the meters, without tax.',
    ],
  ]),
  pdfPage('Energy', [
    ['The meters of both halls and of the office were read on the last day of each month.'],
    ['Electricity came to 41,800 EUR, 9 % more than in the second quarter. Heating came', 'to 12,300 EUR.'],
    [
      'Two thirds of the electricity is cooling. The doors of hall B stand open for four hours',
      'on a working day, while lorries wait for their papers.',
    ],
    [
      'Fast doors for hall B cost 18,000 EUR and save 26,000 EUR each year. A set point that',
      'is two degrees warmer at night costs nothing, and saves 7,500 EUR each year.',
      'Lighting was changed to LEDs in May and needs no further work.',
    ],
  ]),
  pdfPage('People', [
    ['Fourteen drivers and six people in the halls. One position in hall B is open since June.'],
    ['Two drivers were trained for the reach stacker, and one more begins in October.'],
  ]),
]);

export const answer = `The depot spent **54,100 EUR** on energy: 41,800 EUR on electricity and 12,300 EUR on heating [1].

Electricity rose by 9 % against the second quarter [1], and the cooling of hall B is the reason that the report gives:

- Two thirds of the electricity goes into cooling [1].
- The doors of hall B stand open for four hours on each working day [1].

| Measure | Cost | Saves each year |
|---|---:|---:|
| Fast doors for hall B | 18,000 EUR | 26,000 EUR |
| Warmer set point at night | none | 7,500 EUR |

Start with the **doors**: they pay for themselves within nine months.`;

const number = { type: ['integer', 'null'] };
const measure = {
  type: 'object',
  properties: {
    measure: { type: 'string' },
    cost: { ...number, description: 'What it costs, in EUR' },
    saves: { ...number, description: 'What it saves each year, in EUR' },
  },
  required: ['measure', 'cost', 'saves'],
};

/** The shape of a result about the report. */
export const shape = {
  type: 'object',
  properties: {
    spent: { type: 'integer', description: 'What the depot spent on energy, in EUR' },
    measures: { type: 'array', items: measure },
  },
  required: ['spent', 'measures'],
};

const written = {
  value: {
    spent: 54_100,
    measures: [
      { measure: 'Fast doors for hall B', cost: 18_000, saves: 26_000 },
      { measure: '=A warmer set point at night', cost: null, saves: 7_500 },
    ],
  },
  sources: [{ pointer: '', numbers: [1] }],
};

const chatAnswer = `Two things stand out.

1. **Cooling** takes two thirds of the electricity.
2. The doors of hall B are open for *four hours* a day.

\`\`\`sql
select hall, sum(kwh) from meters group by hall;
\`\`\``;

const wasCalled = (messages: ChatRequest['messages'], name: string): boolean =>
  JSON.stringify(messages).includes(`"name":"${name}"`);

/** Chats; and in a run plans, reads the report, saves a file, answers and confirms. */
export const workOn: Script = (request) => ({
  usage: { input: 1840, output: 212, cached: 640 },
  ...nextAnswer(request),
});

function nextAnswer({ messages, stream }: ChatRequest): Answer {
  if (stream) return { text: chatAnswer };
  if (JSON.stringify(messages.at(-1)).includes('Write the result now'))
    return { text: JSON.stringify(written) };
  if (isCheck({ messages })) return { calls: [{ name: 'confirm_answer', args: {} }] };
  const report = JSON.stringify(messages).match(/depot-q3\.\w+/)?.[0];
  if (!wasCalled(messages, 'write_todos'))
    return {
      text: 'I will look for the figures first, then compare what can be done.',
      calls: [
        {
          name: 'write_todos',
          args: {
            todos: [
              { content: 'Find the cost of energy', status: 'in_progress' },
              { content: 'Compare measures', status: 'pending' },
            ],
          },
        },
        { name: 'document_parse', args: { url: report, query: 'energy electricity heating cost' } },
      ],
    };
  if (!wasCalled(messages, 'save_file'))
    return {
      calls: [
        {
          name: 'save_file',
          args: { filename: 'measures.csv', content: 'measure,cost,saves\nFast doors,18000,26000\n' },
        },
      ],
    };
  return { text: answer };
}
