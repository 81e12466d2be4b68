import { labelReaders, type Model } from '@errand/models';
import { engineName } from '../engines/engines.ts';
import { probabilitiesAt } from '../probabilities.ts';
import type { QuestionType } from '../request.ts';
import { fitTemperature, isAtBound, type Sample } from './fit-temperature.ts';
import { type Judged, logprobOf, type Measures, measure } from './measures.ts';

/** What a model said of a question at temperature 1. */
export interface Read extends Judged {
  type: QuestionType;
}

/** How well a model's probabilities fit the answers. */
export interface Calibration extends Measures {
  cases: number;
  /** The temperature fitted to all cases. It replaces the catalogue's temperature; the two are not multiplied. */
  temperature: number;
  /** The measures at cross-validated temperatures: each was fitted without the cases that it is applied to. */
  heldOut: Measures;
}

export interface CalibrationReport extends Calibration {
  /** The catalogue's temperature, at which all measures outside of `heldOut` are taken. */
  temperatureBefore: number;
  /** `temperature` of a kind is what would fit this kind alone. */
  byKind: Partial<Record<QuestionType, Calibration>>;
  /**
   * What to put into the model's entry of the catalogue. Absent if the entry cannot have a temperature, or if none
   * is known to be better.
   */
  catalogue?: Required<Pick<Model, 'calibration'>>;
  warnings: string[];
}

const fewCases = 100;

/** Compares the answers of a model with the right ones. There must be at least one. */
export function reportCalibration(model: Model, reads: readonly Read[]): CalibrationReport {
  const temperatureBefore = model.calibration?.temperature ?? 1;
  const samples = reads.map(({ probabilities, answer }) => ({
    logprobs: probabilities.map(logprobOf),
    answer,
  }));
  // A logarithm and its inverse may move a probability into the next bin, so they are left out where nothing is to change.
  const before: readonly Judged[] =
    temperatureBefore === 1
      ? reads
      : samples.map(({ logprobs, answer }) => ({
          probabilities: probabilitiesAt(logprobs, temperatureBefore),
          answer,
        }));
  const heldOut = holdOut(samples);
  const calibrationOf = (indexes: readonly number[]): Calibration => ({
    cases: indexes.length,
    ...measure(pick(before, indexes)),
    temperature: fitTemperature(pick(samples, indexes)),
    heldOut: measure(pick(heldOut, indexes)),
  });
  const kinds = Map.groupBy(reads.keys(), (index) => reads[index]?.type as QuestionType);
  const all = calibrationOf([...samples.keys()]);
  const { temperature } = all;
  const compared = { ...all, temperatureBefore };
  const canHave = labelReaders.includes(engineName(model));
  return {
    ...compared,
    byKind: Object.fromEntries([...kinds].map(([kind, indexes]) => [kind, calibrationOf(indexes)])),
    ...(canHave &&
      !isAtBound(temperature) &&
      isSameOrBetter(compared) && { catalogue: { calibration: { temperature } } }),
    warnings: warningsOf(model, compared),
  };
}

const pick = <T extends Judged | Sample>(items: readonly T[], indexes: readonly number[]): T[] =>
  indexes.flatMap((index) => items[index] ?? []);

type Compared = Calibration & Pick<CalibrationReport, 'temperatureBefore'>;

/**
 * True if the fitted temperature is better on held-out cases, or equals the catalogue's. An equal temperature is
 * not compared: no held-out temperature is better on the cases that the catalogue's was fitted to.
 */
const isSameOrBetter = ({ temperature, temperatureBefore, nll, heldOut }: Compared): boolean =>
  temperature === temperatureBefore || heldOut.nll < nll;

function warningsOf(model: Model, compared: Compared): string[] {
  const { cases, temperature } = compared;
  const warnings: string[] = [];
  if (cases < fewCases)
    warnings.push(`${cases} cases are few: with less than ${fewCases}, all of these figures may be far off.`);
  if (isAtBound(temperature))
    warnings.push(
      `The fit ends at ${temperature}, as far as a temperature may go: these cases cannot tell a temperature.`,
    );
  else if (!isSameOrBetter(compared))
    warnings.push('On cases that were held out, the fitted temperature is no better than the one there is.');
  if (!labelReaders.includes(engineName(model)))
    warnings.push(
      `The catalogue takes no temperature for the engine ${engineName(model)}: its server gives ready probabilities.`,
    );
  return warnings;
}

const foldCount = 5;

/**
 * The samples at temperatures that were fitted without them: the first, sixth, eleventh and so on make a fold, whose temperature
 * comes from all other folds.
 */
export function holdOut(samples: readonly Sample[]): Judged[] {
  const temperatures = Array.from({ length: foldCount }, (_, fold) =>
    fitTemperature(samples.filter((_sample, index) => index % foldCount !== fold)),
  );
  return samples.map(({ logprobs, answer }, index) => ({
    probabilities: probabilitiesAt(logprobs, temperatures[index % foldCount]),
    answer,
  }));
}
