import { type OrderedJson, type OrderedObject, stringifyOrderedJson } from '@errand/platform';
import { countShared, meaningfulWords } from '../words.ts';

export interface Option {
  key: string;
  description: OrderedJson;
}

export interface Question {
  id: string;
  type: 'noul' | 'choice' | 'score';
  instructions: OrderedJson;
  /** A `noul` has the options `true` and `false`, as far as the request describes them. */
  options: Option[];
}

/** How strongly shared words raise a probability. */
const steepness = 5;

export function answerQuestion(state: OrderedJson, question: Question): OrderedObject {
  const { type, id, instructions, options } = question;
  const known = meaningfulWords(textOf(state));
  const asked = meaningfulWords(textOf(instructions ?? id));
  if (type === 'noul') return answerNoul(known, asked, options);
  const probabilities = softmax(options.map((option) => supportOf(wordsOf(option), known, asked)));
  return type === 'choice' ? answerChoice(options, probabilities) : answerScore(options, probabilities);
}

export function choiceConfidence(probabilities: readonly number[]): number {
  const even = 1 / probabilities.length;
  return unit((Math.max(...probabilities) - even) / (1 - even));
}

export function scoreConfidence(probabilities: readonly number[]): number {
  const mode = modeOf(probabilities);
  const middle = (probabilities.length - 1) / 2;
  const spread = sum(probabilities.map((probability, level) => probability * Math.abs(level - mode)));
  const evenSpread = sum(probabilities.map((_, level) => Math.abs(level - middle))) / probabilities.length;
  return unit(1 - spread / evenSpread);
}

function answerNoul(known: Set<string>, asked: Set<string>, options: readonly Option[]): OrderedObject {
  const optionsByKey = new Map(options.map((option) => [option.key, option]));
  const yes = optionsByKey.get('true');
  const no = optionsByKey.get('false');
  const yesWords =
    yes === undefined || yes.description === null ? asked : meaningfulWords(textOf(yes.description));
  const noWords =
    no === undefined || no.description === null ? undefined : meaningfulWords(textOf(no.description));
  // Without a description of "no", a state with half of the words of "yes" makes both equally likely.
  const noSupport = noWords === undefined ? 0.5 : supportOf(noWords, known, asked);
  const [probability = 0.5] = softmax([supportOf(yesWords, known, asked), noSupport]);
  return new Map<string, OrderedJson>([
    ['type', 'noul'],
    ['noul', probability],
  ]);
}

function answerChoice(options: readonly Option[], probabilities: readonly number[]): OrderedObject {
  return new Map<string, OrderedJson>([
    ['type', 'choice'],
    ['choice', options[modeOf(probabilities)]?.key ?? ''],
    ['probabilities', byKey(options, probabilities)],
    ['confidence', choiceConfidence(probabilities)],
  ]);
}

function answerScore(options: readonly Option[], probabilities: readonly number[]): OrderedObject {
  return new Map<string, OrderedJson>([
    ['type', 'score'],
    ['score', sum(probabilities.map((probability, level) => probability * level))],
    ['legend', new Map(options.map(({ key, description }) => [key, description]))],
    ['probabilities', byKey(options, probabilities)],
    ['confidence', scoreConfidence(probabilities)],
  ]);
}

const byKey = (options: readonly Option[], probabilities: readonly number[]): OrderedObject =>
  new Map(options.map(({ key }, index) => [key, probabilities[index] ?? 0]));

/** The words of an option's key and description. */
const wordsOf = ({ key, description }: Option): Set<string> =>
  meaningfulWords(description === null ? key : `${key} ${textOf(description)}`);

const textOf = (value: OrderedJson): string =>
  typeof value === 'string' ? value : stringifyOrderedJson(value);

/** The share of an option's words that are in the state. A word that is only in the question counts a quarter. */
function supportOf(words: Set<string>, known: Set<string>, asked: Set<string>): number {
  if (words.size === 0) return 0;
  const elsewhere = new Set([...words].filter((word) => !known.has(word)));
  return (countShared(words, known) + countShared(elsewhere, asked) / 4) / words.size;
}

function softmax(supports: readonly number[]): number[] {
  const highest = Math.max(...supports);
  const weights = supports.map((support) => Math.exp(steepness * (support - highest)));
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

/** The index of the largest number. A tie goes to the earlier option or the lower level. */
const modeOf = (probabilities: readonly number[]): number =>
  probabilities.indexOf(Math.max(...probabilities));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Rounding errors may put a confidence slightly outside of 0 to 1. */
const unit = (confidence: number): number => Math.min(1, Math.max(0, confidence));
