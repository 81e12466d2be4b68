import { caseText, instructionsText, optionText } from '../../read-text.ts';
import type { DecisionRequest, Question } from '../../request.ts';

const capitals = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const small = capitals.map((letter) => letter.toLowerCase());
const pairs = (heads: readonly string[], tails: readonly string[]) =>
  heads.flatMap((head) => tails.map((tail) => head + tail));

/** Labels in order of preference. Tokenizers differ in which of them are one token. */
export const possibleLabels: readonly string[] = [
  ...capitals,
  ...pairs(capitals, capitals),
  ...small,
  ...pairs(capitals, small),
  ...pairs(small, small),
];

/** Texts that may fill the slots, in order of preference. */
export const placeholders: readonly string[] = ['?', '_', '-', '*', '...'];

export const sheetHeading = '\n\nAnswer sheet, with the label of one option for each question:';

export const slotText = (question: number, label: string): string => `\n${question}: ${label}`;

const instruction =
  'Read the case and answer every question about it by the label of one of its options. Follow the rules and ' +
  'facts that are given, and nothing else.';

/** The prompt before the answer sheet: the case and the questions, each option with its label. */
export function casePrompt({ input, questions }: DecisionRequest, labels: readonly string[]): string {
  const questionPrompts = questions.map((question, index) => questionPrompt(question, index + 1, labels));
  return `${instruction}\n\nCase:\n${caseText(input)}${questionPrompts.join('')}`;
}

function questionPrompt(question: Question, number: number, labels: readonly string[]): string {
  const options = question.options.map(
    (option, index) => `\n- ${labels[index]}: ${optionText(question, option)}`,
  );
  return `\n\nQuestion ${number}: ${instructionsText(question)}${options.join('')}`;
}

/** The end of the prompt: one slot per question, filled with the placeholder. */
export function answerSheet(questions: number, placeholder: string): string {
  const slots = Array.from({ length: questions }, (_, index) => slotText(index + 1, placeholder));
  return sheetHeading + slots.join('');
}
