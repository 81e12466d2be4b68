import { fractionOf } from '../random.ts';
import type { Statement } from '../score/statements.ts';
import { countTokens } from './tokens.ts';

/** How often the made decision server is wrong. */
export const errorRates = { falseYes: 0.1, falseNo: 0.1 } as const;

export interface DecisionBody {
  model: string;
  questions: Record<string, { type: string; instructions?: unknown }>;
}

/** Whether a passage bears a statement out. */
export type Judge = (statement: string, passage: string) => boolean;

/**
 * Answers each question of a decision: does the passage support the statement? Which answers are wrong depends on the
 * statement alone.
 */
export function decide({ model, questions }: DecisionBody, judge: Judge): object {
  const answers = Object.entries(questions).map(([id, { type, instructions }]) => {
    const { statement, passage } = readInstructions(instructions);
    return [id, { type, noul: probability(statement, judge(statement, passage)) }] as const;
  });
  const usage = { input_tokens: countTokens(JSON.stringify(questions)), output_tokens: 0 };
  return { model, answers: Object.fromEntries(answers), usage };
}

/** A probability with the made errors; right ones are not all equally sure. */
export function probability(statement: string, truth: boolean): number {
  const isWrong = fractionOf(`error of ${statement}`) < (truth ? errorRates.falseNo : errorRates.falseYes);
  const sure = 0.75 + 0.2 * fractionOf(`surety of ${statement}`);
  return truth !== isWrong ? sure : 1 - sure;
}

function readInstructions(instructions: unknown): { statement: string; passage: string } {
  const { statement = instructions, passage = '' } = (instructions ?? {}) as Record<string, unknown>;
  const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return { statement: toText(statement), passage: toText(passage) };
}

const wordsIn = (text: string): string[] =>
  text.replaceAll(/(?<=\d)[.,](?=\d{3})/g, '').match(/\p{L}+|\d+/gu) ?? [];

/** The sentences before and after that a sentence is read with. */
const context = 2;

/**
 * A judge that knows the names of the corpus: every name and every figure of the statement is in one stretch of the
 * passage, and nothing there denies it. Words of other languages do not count against a statement.
 */
export function namesJudge(statements: readonly Statement[]): Judge {
  const names = new Set(
    statements.flatMap(({ about, value }) =>
      wordsIn(`${about} ${value}`).filter((word) => /^\p{Lu}/u.test(word)),
    ),
  );
  return (statement, passage) => {
    const wanted = wordsIn(statement).filter((word) => names.has(word) || /^\d/.test(word));
    const sentences = passage.match(/[^.!?\n]+(?:[.!?](?=\d)[^.!?\n]+)*/g) ?? [];
    return sentences.some((sentence, at) => {
      if (/\b(?:not|never|wrongly)\b/i.test(sentence)) return false;
      const near = new Set(wordsIn(sentences.slice(Math.max(0, at - context), at + 1).join(' ')));
      const own = new Set(wordsIn(sentence));
      return (
        wanted.length > 0 &&
        wanted.every((word) => near.has(word)) &&
        wanted.filter((word) => /^\d/.test(word)).every((figure) => own.has(figure))
      );
    });
  };
}
