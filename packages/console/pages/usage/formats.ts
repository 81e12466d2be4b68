import { formatEuro } from '../../words/money.ts';
import { formatCount, formatEmissions, formatEnergy } from '../../words/quantities.ts';
import type { Measure } from './tally.ts';

export const formats: Record<Measure, (value: number) => string> = {
  money: formatEuro,
  tokens: formatCount,
  requests: formatCount,
  energy: formatEnergy,
  emissions: formatEmissions,
};
