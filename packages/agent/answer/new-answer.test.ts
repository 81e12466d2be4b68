import { describe, expect, test } from 'vitest';
import { isNewAnswer } from './new-answer.ts';

const short = 'The bridge was opened in 1932 and is 503 metres long.';
const long = `# Report\n\n${'The bridge was opened in 1932 and carries eight lanes of traffic over the water. '.repeat(40)}`;

describe('what is written in the final check', () => {
  test.each([
    'Yes, it is complete.',
    'The answer is complete and correct.',
    'I confirm that the answer above is complete; no further tools are needed.',
    'No changes needed. The previous answer stands.',
    'Nothing is missing.',
    'Complete.',
    'CONFIRMED',
    'Looks good to me!',
    'Verified.',
    'Agreed.',
    'I stand by my answer.',
    'The answer has been verified.',
    'Everything checks out.',
    'All claims are supported.',
    'Yes.',
    'OK!',
    'はい。',
    'Ja, die Antwort ist vollständig.',
    'Die Antwort bleibt unverändert.',
    "Oui, la réponse est complète, aucune modification n'est nécessaire.",
    'Sí, la respuesta está completa.',
    '回答完整，无需修改。',
    '',
    '  \n',
  ])('%j is no new answer', (text) => {
    expect(isNewAnswer(text, short)).toBe(false);
    expect(isNewAnswer(text, long)).toBe(false);
  });

  test.each([
    'The bridge was opened in 1932 and is 504 metres long.',
    'It was opened in 1933.',
    '1933',
    'The answer is 1933.',
    'The final answer is 504 metres [1].',
    'The report confirms 1933, not 1932 [1].',
    'The records are complete only from 1990; no year of the opening was found.',
    'The bridge was opened in 1932 and is 503 metres long. The work was complete in January.',
    `${short} A second source confirms the length.`,
    'Er wurde 1932 eröffnet und ist 503 Meter lang.',
  ])('%j is a new answer', (text) => {
    expect(isNewAnswer(text, short)).toBe(true);
  });

  test('a rewritten long text is a new answer, even if it speaks of completeness', () => {
    expect(isNewAnswer(`${long}\n\nThe list is complete.`, long)).toBe(true);
  });

  test('a sentence is not a new answer in place of a long text', () => {
    expect(isNewAnswer('All good, thanks.', long)).toBe(false);
  });

  test('a word is a new answer in place of a word', () => {
    expect(isNewAnswer('Yes.', 'No.')).toBe(true);
  });

  test('any text is a new answer if there is no answer yet', () => {
    expect(isNewAnswer('Yes, it is complete.', '')).toBe(true);
  });
});
