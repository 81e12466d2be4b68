import fc from 'fast-check';
import { playModels, small } from './catalogue.ts';
import { type Behaviour, behaviours, type Report, reports, summaries } from './lies.ts';

/** One call of a play: how it is asked, how long it is, what its provider does, and when its caller leaves. */
export interface PlayedCall {
  route: 'chat' | 'responses' | 'messages' | 'systemone' | 'decisions' | 'run' | 'form';
  stream: boolean;
  model: number;
  maxTokens: number | undefined;
  choices: number;
  /** The words of the input. Each is a token, also by o200k. */
  words: number;
  /** The words of the answer. */
  written: number;
  behaviour: Behaviour;
  report: Report;
  /** Of a message that asks for a summary of its conversation: what the provider says of that. */
  summary: object | undefined;
  leaves: 'never' | 'at once' | 'before the first byte' | 'after it' | 'after the last chunk';
  /** Of a run: how often its model calls a tool, and the most that the run may cost. */
  rounds: number;
  maxNanoEuro: number | undefined;
  /** Of a run that answers with a value of a schema: what its model writes, again and again from the first. */
  values: ('fits' | 'misfits' | 'prose' | 'refused')[] | undefined;
}

export interface Play {
  creditsNanoEuro: number;
  budgetNanoEuro: number | undefined;
  /** Of the organisation that pays. Without it the account pays. */
  ceilingNanoEuro: number | undefined;
  /** Calls that come at once, and then the next ones. */
  rounds: PlayedCall[][];
}

const { contextTokens } = small;

const call: fc.Arbitrary<PlayedCall> = fc.record({
  route: fc.constantFrom(
    ...(['chat', 'chat', 'responses', 'responses', 'messages', 'messages'] as const),
    ...(['systemone', 'decisions', 'run', 'form'] as const),
  ),
  stream: fc.boolean(),
  model: fc.nat({ max: playModels - 1 }),
  maxTokens: fc.constantFrom(undefined, undefined, 10, 500),
  choices: fc.constantFrom(1, 1, 2),
  words: fc.constantFrom(5, 5, 300, 300, 600, contextTokens, 1.4 * contextTokens, 40 * contextTokens),
  written: fc.constantFrom(0, 5, 300, 2_000),
  behaviour: fc.constantFrom(...behaviours),
  report: reports,
  summary: fc.constantFrom(undefined, ...summaries),
  leaves: fc.constantFrom(
    'never',
    'never',
    'at once',
    'before the first byte',
    'after it',
    'after the last chunk',
  ),
  rounds: fc.nat({ max: 2 }),
  maxNanoEuro: fc.constantFrom(undefined, undefined, 6_000_000, 20_000_000),
  values: fc.option(
    fc.array(fc.constantFrom('fits', 'misfits', 'prose', 'refused'), { minLength: 1, maxLength: 4 }),
    { nil: undefined },
  ),
});

/** Amounts from a single nano-euro on, each size as often as another. */
const little = fc
  .record({ size: fc.nat({ max: 23 }), share: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ size, share }) => Math.ceil(2 ** size * (1 + share) * 0.5));

export const plays: fc.Arbitrary<Play> = fc.record({
  creditsNanoEuro: fc.oneof(little, fc.integer({ min: 1, max: 5_000_000 }), fc.constant(1_000_000_000)),
  budgetNanoEuro: fc.oneof(fc.constant(undefined), little),
  ceilingNanoEuro: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: little },
  ),
  rounds: fc.array(fc.array(call, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 2 }),
});
