import { fractionOf } from '../random.ts';

/** How often the made decision server is wrong. */
export const errorRates = { falseYes: 0.1, falseNo: 0.1 } as const;

export interface DecisionBody {
  model: string;
  state: unknown;
  questions: Record<string, { type: string; instructions?: unknown; criteria?: unknown }>;
}

/** Whether the corpus states the claim that a question is about. */
export type Truth = (text: string) => boolean;

/**
 * Answers each question of a decision: does the passage support the claim? The truth comes from the corpus. Which answers
 * are wrong depends on the claim's text alone.
 */
export function decide({ model, state, questions }: DecisionBody, isTrue: Truth): object {
  const answers = Object.entries(questions).map(([id, { type, instructions, criteria }]) => {
    const about = claimOf(id, state, instructions, criteria);
    return [id, { type, noul: probability(about, isTrue(about)) }] as const;
  });
  return {
    model,
    answers: Object.fromEntries(answers),
    usage: { input_tokens: 100 * answers.length, output_tokens: 0 },
  };
}

/** A probability with the made errors; right ones are not all equally sure. */
export function probability(claim: string, truth: boolean): number {
  const isWrong = fractionOf(`error of ${claim}`) < (truth ? errorRates.falseNo : errorRates.falseYes);
  const sure = 0.75 + 0.2 * fractionOf(`surety of ${claim}`);
  return truth !== isWrong ? sure : 1 - sure;
}

/** The claim of a question: in its instructions or criteria, else under its id in the state. */
function claimOf(id: string, state: unknown, instructions: unknown, criteria: unknown): string {
  const own = [instructions, criteria].map(textOf).join('\n');
  if (/\d|\[|"/.test(own.replaceAll(/claim \d+|passage \d+/gi, ''))) return own;
  const number = Number(/\d+/.exec(id)?.[0] ?? Number.NaN);
  return textOf(find(state, id) ?? find(state, String(number)) ?? state);
}

function find(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, key)) return (value as Record<string, unknown>)[key];
  for (const inner of Object.values(value)) {
    const found = find(inner, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
