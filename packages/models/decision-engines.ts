import { oneOf } from '@errand/platform';
import * as v from 'valibot';

/** The ways to ask a decision upstream. The first is the default. */
export const decisionEngines = [
  'systemone',
  'prompt_logprobs',
  'token_ids_logprob',
  'openai_decisions',
] as const;

/** The engines that read log-probabilities of labels, which a temperature can calibrate. */
export const labelReaders = [
  'prompt_logprobs',
  'token_ids_logprob',
] as const satisfies readonly DecisionEngine[];

/** The bounds of a temperature. */
export const temperatureBounds = { least: 0.05, most: 20 };

/** The furthest that an offset goes: at 20, what had a chance of one in a billion has 0.3. */
export const mostOffset = 20;

export type DecisionEngine = (typeof decisionEngines)[number];
export type LabelReader = (typeof labelReaders)[number];

const within = (from: number, to: number) =>
  v.pipe(
    v.number('must be a number'),
    v.check((value) => value >= from && value <= to, `must be from ${from} to ${to}`),
  );

const { least, most } = temperatureBounds;

/** What an entry of the catalogue says of a decision model alone. */
export const decisionEntries = {
  engine: v.optional(oneOf(decisionEngines)),
  /**
   * The log-probabilities of labels are divided by `temperature`, by 1 if absent. `offset` is then added to the log-odds of yes in
   * a `noul`.
   */
  calibration: v.optional(
    v.object({ temperature: within(least, most), offset: v.optional(within(-mostOffset, mostOffset)) }),
  ),
  /** What the labels of a question must have of all probability; `limits.leastLabelMass` if absent. */
  minLabelMass: v.optional(within(0, 1)),
};
