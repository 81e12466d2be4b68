import { fractionOf } from '../random.ts';
import { countTokens } from './tokens.ts';

/** How often the made decision server is wrong. */
export const errorRates = { falseYes: 0.1, falseNo: 0.1 } as const;

export interface DecisionBody {
  model: string;
  questions: Record<string, { type: string; instructions?: unknown }>;
}

/** Whether a statement is true: by its passage if it has one, else by the corpus. */
export type Truth = (statement: string, passage: string | undefined) => boolean;

/**
 * Answers each question of a decision: does the passage support the statement? Which answers are wrong depends on the
 * statement alone.
 */
export function decide({ model, questions }: DecisionBody, isTrue: Truth): object {
  const answers = Object.entries(questions).map(([id, { type, instructions }]) => {
    const { statement, passage } = readInstructions(instructions);
    return [id, { type, noul: probability(statement, isTrue(statement, passage)) }] as const;
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

function readInstructions(instructions: unknown): { statement: string; passage: string | undefined } {
  if (typeof instructions !== 'object' || instructions === null)
    return { statement: String(instructions), passage: undefined };
  const { statement, passage } = instructions as { statement?: unknown; passage?: unknown };
  return {
    statement: typeof statement === 'string' ? statement : JSON.stringify(instructions),
    passage: typeof passage === 'string' ? passage : undefined,
  };
}
