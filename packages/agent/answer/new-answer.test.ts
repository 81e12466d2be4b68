import { describe, expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/linear-time.ts';
import { newAnswer as judge } from './new-answer.ts';
import { remarks } from './test-support/remarks.ts';

const short = 'The Velmar Bridge is 503 m long [1].';
const facts = [
  'The Velmar Bridge was opened in 1932 and carries eight lanes of traffic [1].',
  'It was designed by Jon Falk, who had drawn the harbour of Belmere before [2].',
  'In 1978 the railings were replaced, and in 1996 the deck [3][4].',
  'The toll was given up in 2004, after a vote of the council [5].',
];
const long = `# The Velmar Bridge\n\n${facts.join(' ')}\n\n${facts.join(' ')} ${facts.join(' ')}`;
const german = 'Die Velmarbrücke ist 503 m lang und wurde 1932 eröffnet [1].';
const chinese = '维尔马大桥长503米，于1932年通车[1]。';

/** What the check has read: a page of the subject, one about something else, and words that remarks have, too. */
const page = `[2] Velmar Bridge, facts\nhttps://site.test/velmar\n\n${facts.join(' ')} The work was complete in 1932. After a survey, which confirmed the sources of 1932, its length is given as 512 m. Anna Roth checked every answer to the survey, and nothing was changed. The records are complete only from 1990. 维尔马大桥全长512米。桥上有八条车道，记录完整。 Die Länge der Velmarbrücke beträgt nach der Vermessung 512 m; die Unterlagen sind vollständig und bleiben unverändert.`;

const newAnswer = (text: string, answer: string, read: readonly string[]) =>
  judge(text, { answer, question: 'What is the length of the Velmar Bridge?', read });

describe('a remark about the answer', () => {
  test.each(remarks)('%j is no new answer', (remark) => {
    for (const answer of [short, long, german, chinese, '503 m', 'Yes.'])
      for (const read of [[], [page], ['No results for "velmar bridge length".']])
        expect(newAnswer(remark, answer, read)).toBeUndefined();
  });

  test('there are a hundred of them, none twice', () => {
    expect(new Set(remarks).size).toBeGreaterThanOrEqual(100);
    expect(remarks).toHaveLength(new Set(remarks).size);
  });
});

describe('what says something new', () => {
  test.each([
    ['a word in place of a word', 'No.', 'Yes.'],
    ['another figure', 'The Velmar Bridge is 512 m long [2].', short],
    ['another figure, and no more', '512 m', '503 m'],
    ['another figure, alone, that was read', '512', short],
    [
      'a name that was read',
      'Anna Roth checked every answer to the survey [2].',
      'Jon Falk checked them [1].',
    ],
    [
      'a year in other words',
      'The records are complete only from 1990; of the opening there is none [2].',
      short,
    ],
    ['one more sentence', `${short} Its deck was replaced in 1996 [2].`, short],
    ['another source for the same', 'The Velmar Bridge is 503 m long [1][2].', short],
    ['another figure in German', 'Die Velmarbrücke ist 512 m lang und wurde 1932 eröffnet [2].', german],
    ['another figure in Chinese', '维尔马大桥长512米，于1932年通车[2]。', chinese],
    ['a rewritten report', `${long.replaceAll('eight', 'six').replaceAll('1978', '1987')}`, long],
  ])('%s replaces the answer', (_, text, answer) => {
    expect(newAnswer(text, answer, [page])).toBe(text);
  });

  test('replaces the answer, whatever the tool has said, if it restates the rest', () => {
    expect(newAnswer('The Velmar Bridge is 512 m long [2].', short, ['Error: nothing.'])).toBeDefined();
  });

  test('in one sentence does not replace a long text', () => {
    expect(newAnswer('The length is 512 m [2].', long, [page])).toBeUndefined();
  });
});

test.each(['NEW ANSWER: No.', '**NEW ANSWER:**\n\nNo.', 'New answer:\nNo.'])(
  'a text that is marked as the new answer replaces any, without its mark: %j',
  (text) => {
    for (const answer of [short, long, 'Yes.']) expect(newAnswer(text, answer, [])).toBe('No.');
  },
);

test('any text is a new answer if there is no answer yet, and an empty one never is', () => {
  expect(newAnswer('Yes, it is complete.', '', [])).toBe('Yes, it is complete.');
  for (const text of ['', ' \n', 'NEW ANSWER:']) expect(newAnswer(text, short, [page])).toBeUndefined();
});

test('the time grows with the texts alone', () => {
  const before = process.threadCpuUsage();
  for (const hostile of ['[1', '1,', '[1,', 'a ', '1.1.', '维', '** _'])
    newAnswer(hostile.repeat(8_000), `${hostile.repeat(4_000)}x`, [hostile.repeat(100_000)]);
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(4_000);
});

test('the time in which a text of the check is told from a remark grows with its size, not with its square', async () => {
  const words = (length: number, first: string) =>
    Array.from({ length: length / 10 }, (_, i) => `${first}${i.toString(36).padStart(6, 'q')}`);
  await expectLinear(
    (length) => ({
      written: words(length, 'w').join(' '),
      read: [
        words(length, 'r')
          .map((word) => `${word} bridge velmar`)
          .join('. '),
      ],
    }),
    ({ written, read }) =>
      judge(`${written} bridge velmar`, { answer: 'The Velmar bridge.', question: 'How long?', read }),
  );
});
