import { probabilitiesAt } from '../probabilities.ts';
import { fitTemperature, type Sample } from './fit-temperature.ts';
import type { Judged } from './measures.ts';

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
