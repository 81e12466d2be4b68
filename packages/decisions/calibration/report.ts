import { labelReaders, type Model } from '@errand/models';
import { engineName } from '../engines/engines.ts';
import { calibrate } from '../probabilities.ts';
import type { QuestionType } from '../request.ts';
import { type Fit, fitTemperature, fitWithOffset, isAtBound, type Sample } from './fit.ts';
import { countGroups, drawFolds, foldCount } from './folds.ts';
import { type Judged, logprobOf, lossOf, type Measures, measure, usualThreshold } from './measures.ts';

/** What a model said of a question, uncalibrated. */
export interface Read extends Judged {
  /** The id of the question. */
  id: string;
  group?: string;
}

/** How well a model's probabilities fit the answers. */
export interface Calibration extends Measures {
  cases: number;
  /** The temperature fitted to all cases. It replaces the catalogue's temperature; the two are not multiplied. */
  temperature: number;
  /** The measures at cross-validated temperatures: each was fitted without the cases that it is applied to. */
  heldOut: Measures;
  /** The same with an offset that is fitted together with the temperature. Absent without a `noul`. */
  withOffset?: Required<Fit> & { heldOut: Measures };
}

export interface ReportOptions {
  /** Draws the folds. */
  seed: number;
  /** From which probability on a `noul` counts as yes. */
  threshold: number;
}

export interface CalibrationReport extends Calibration, ReportOptions {
  /** The catalogue's temperature, at which all measures outside of `heldOut` are taken. */
  temperatureBefore: number;
  /** The catalogue's offset, if it has one. */
  offsetBefore?: number;
  /** `temperature` of a kind is what would fit this kind alone. */
  byKind: Partial<Record<QuestionType, Calibration>>;
  byQuestion: Record<string, Calibration>;
  /**
   * What to put into the model's entry of the catalogue. Absent if the entry cannot have a calibration, or if none
   * is known to be better.
   */
  catalogue?: { calibration: Fit };
  warnings: string[];
}

const fewCases = 100;

/** Compares the answers of a model with the right ones. There must be at least one. */
export function reportCalibration(
  model: Model,
  reads: readonly Read[],
  { seed = 1, threshold = usualThreshold }: Partial<ReportOptions> = {},
): CalibrationReport {
  const { temperature: temperatureBefore, offset: offsetBefore } = { temperature: 1, ...model.calibration };
  const samples = reads.map(({ type, probabilities, answer }) => ({
    type,
    logprobs: probabilities.map(logprobOf),
    answer,
  }));
  const groups = reads.map(({ group }) => group);
  const views: Views = {
    samples,
    before: judgedBefore(reads, samples, { temperature: temperatureBefore, offset: offsetBefore }),
    ...holdOut(samples, drawFolds(groups, seed)),
  };
  const calibrationOf = (indexes: readonly number[]) => calibrationFor(views, indexes, threshold);
  const by = <K extends string>(keyOf: (read: Read) => K) =>
    Object.fromEntries(
      [...Map.groupBy(reads.keys(), (index) => keyOf(reads[index] as Read))].map(([key, indexes]) => [
        key,
        calibrationOf(indexes),
      ]),
    ) as Record<K, Calibration>;
  const compared = { ...calibrationOf([...samples.keys()]), temperatureBefore, offsetBefore };
  const { withOffset } = compared;
  const chosen: Chosen = withOffset && isOffsetClearlyBetter(views) ? withOffset : compared;
  return {
    ...compared,
    seed,
    threshold,
    byKind: by(({ type }) => type),
    byQuestion: by(({ id }) => id),
    ...(canHave(model) &&
      !isAtBound(chosen) &&
      isSameOrBetter(compared, chosen) && {
        catalogue: { calibration: { temperature: chosen.temperature, offset: chosen.offset } },
      }),
    warnings: warningsOf(model, compared, chosen, countGroups(groups)),
  };
}

type Chosen = Fit & Pick<Calibration, 'heldOut'>;

/** The cases as samples for a fit, and as judged in several ways, all in one order. */
interface Views {
  samples: readonly Sample[];
  before: readonly Judged[];
  heldOut: readonly Judged[];
  heldOutWithOffset: readonly Judged[];
}

/** The cases as the catalogue calibrates them. */
function judgedBefore(reads: readonly Read[], samples: readonly Sample[], before: Fit): readonly Judged[] {
  // A logarithm and its inverse may move a probability into the next bin, so they are left out where nothing is to change.
  if (before.temperature === 1 && !before.offset) return reads;
  return samples.map((sample) => judgedAt(sample, before));
}

const judgedAt = (sample: Sample, fit?: Fit): Judged => ({
  type: sample.type,
  probabilities: calibrate(sample, sample.logprobs, fit),
  answer: sample.answer,
});

function calibrationFor(views: Views, indexes: readonly number[], threshold: number): Calibration {
  const measured = (judged: readonly Judged[]) => measure(pick(judged, indexes), threshold);
  const samples = pick(views.samples, indexes);
  return {
    cases: indexes.length,
    ...measured(views.before),
    temperature: fitTemperature(samples),
    heldOut: measured(views.heldOut),
    withOffset: hasNoul(samples)
      ? { ...fitWithOffset(samples), heldOut: measured(views.heldOutWithOffset) }
      : undefined,
  };
}

const hasNoul = (samples: readonly Sample[]): boolean => samples.some(({ type }) => type === 'noul');

const pick = <T>(items: readonly T[], indexes: readonly number[]): T[] =>
  indexes.flatMap((index) => items[index] ?? []);

type Compared = Calibration & Pick<CalibrationReport, 'temperatureBefore' | 'offsetBefore'>;

const canHave = (model: Model): boolean => labelReaders.some((name) => name === engineName(model));

/** The standard errors by which an offset must be better: it changes which answer is the likelier one. */
const clearErrors = 2;

/** True if an offset lowers the mean loss of held-out cases by more than chance explains. */
function isOffsetClearlyBetter({ heldOut, heldOutWithOffset }: Views): boolean {
  const gains = heldOut.map((judged, index) => lossOf(judged) - lossOf(heldOutWithOffset[index] ?? judged));
  const gain = gains.reduce((sum, each) => sum + each, 0) / gains.length;
  const variance = gains.reduce((sum, each) => sum + (each - gain) ** 2, 0) / gains.length;
  return gain > clearErrors * Math.sqrt(variance / gains.length);
}

/**
 * True if the fit is better on held-out cases, or equals the catalogue's. An equal fit is not compared: no held-out fit is
 * better on the cases that the catalogue's was fitted to.
 */
const isSameOrBetter = (before: Compared, { temperature, offset, heldOut }: Chosen): boolean =>
  (temperature === before.temperatureBefore && offset === before.offsetBefore) || heldOut.nll < before.nll;

function warningsOf(model: Model, compared: Compared, chosen: Chosen, groups: number): string[] {
  const { cases } = compared;
  const { temperature, offset } = chosen;
  const warnings: string[] = [];
  if (cases < fewCases)
    warnings.push(`${cases} cases are few: with less than ${fewCases}, all of these figures may be far off.`);
  if (groups < foldCount)
    warnings.push(`Only ${groups} groups: ${foldCount} are needed to hold each out of a fit.`);
  if (isAtBound(chosen))
    warnings.push(
      `The fit ends at ${temperature}${offset === undefined ? '' : ` with an offset of ${offset}`}, as far as it may go: these cases cannot tell a temperature.`,
    );
  else if (!isSameOrBetter(compared, chosen))
    warnings.push('On cases that were held out, the fitted temperature is no better than the one there is.');
  if (!canHave(model))
    warnings.push(
      `The catalogue takes no temperature for the engine ${engineName(model)}: its server gives ready probabilities.`,
    );
  return warnings;
}

/** The samples as calibrated by fits that have not seen their folds. */
export function holdOut(
  samples: readonly Sample[],
  folds: readonly number[],
): Pick<Views, 'heldOut' | 'heldOutWithOffset'> {
  const fits = Array.from({ length: foldCount }, (_, fold) => {
    const others = samples.filter((_sample, index) => folds[index] !== fold);
    const plain = { temperature: fitTemperature(others) };
    return { plain, withOffset: hasNoul(others) ? fitWithOffset(others) : plain };
  });
  const fitOf = (index: number) => fits[folds[index] ?? 0];
  return {
    heldOut: samples.map((sample, index) => judgedAt(sample, fitOf(index)?.plain)),
    heldOutWithOffset: samples.map((sample, index) => judgedAt(sample, fitOf(index)?.withOffset)),
  };
}
