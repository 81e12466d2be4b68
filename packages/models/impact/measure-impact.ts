import * as v from 'valibot';
import type { Model } from '../catalogue.ts';
import type { Usage } from '../usage.ts';
import type { CarbonIntensity } from './carbon-intensity.ts';
import { impactConstants } from './constants.ts';
import { energyWattMilliseconds } from './energy.ts';

const total = <U extends string>(unit: U) =>
  v.object({ total: v.pipe(v.number(), v.integer(), v.minValue(1)), unit: v.literal(unit) });

/** The impact object. Callers receive its keys in this order. */
export const impactSchema = v.object({
  version: v.string(),
  inferenceTime: total('ms'),
  energy: total('Wms'),
  emissions: total('ugCO2e'),
});

export type Impact = v.InferOutput<typeof impactSchema>;

export interface ImpactDeps {
  carbonIntensity: CarbonIntensity;
}

/** The totals as a charge has them: Wms and ugCO2e. */
export const impactTotals = ({ energy, emissions }: Impact): { energy: number; emissions: number } => ({
  energy: energy.total,
  emissions: emissions.total,
});

/** Rounds a figure. The next figure is computed from the rounded one, so that readers can recompute it. */
const whole = (value: number): number => Math.max(1, Math.round(value));

/** The impact of a piece of work. 1 Wms is 1 mJ and 1 kWh is 3.6e9 Wms, so micrograms are Wms x g/kWh / 3600. */
export async function measureImpact(
  deps: ImpactDeps,
  model: Pick<Model, 'energy'>,
  work: { inferenceMilliseconds: number; usage: Usage },
): Promise<Impact> {
  const inferenceMilliseconds = whole(work.inferenceMilliseconds);
  const energy = whole(energyWattMilliseconds(model, { ...work, inferenceMilliseconds }));
  const gramsPerKilowattHour = await deps.carbonIntensity();
  return {
    version: impactConstants.version,
    inferenceTime: { total: inferenceMilliseconds, unit: 'ms' },
    energy: { total: energy, unit: 'Wms' },
    emissions: { total: whole((energy * gramsPerKilowattHour) / 3_600), unit: 'ugCO2e' },
  };
}
