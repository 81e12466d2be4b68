import { described, named, textField } from '@errand/platform';
import * as v from 'valibot';
import type { Model, TokenModel } from '../catalogue.ts';
import type { Usage } from '../usage.ts';
import type { CarbonIntensity } from './carbon-intensity.ts';
import { impactConstants } from './constants.ts';

const total = <U extends string>(what: string, unit: U, meaning: string) =>
  described(
    `${what} in ${unit} (${meaning}).`,
    v.object({
      total: described(
        'A whole number, at least 1, in `unit`.',
        v.pipe(v.number(), v.integer(), v.minValue(1)),
      ),
      unit: described(meaning, v.literal(unit)),
    }),
  );

/** The impact object. Callers receive its keys in this order. */
export const impactSchema = named(
  'Impact',
  described(
    'The time, energy and emissions of the work.',
    v.object({
      version: textField('The day on which the numbers behind the figures last changed: `YYYYMMDD`.'),
      inferenceTime: total("The provider's time alone", 'ms', 'milliseconds'),
      energy: total('The energy that the work took', 'Wms', 'watt-milliseconds: 1 Wms is 1 mJ'),
      emissions: total('The emissions of the work', 'ugCO2e', 'micrograms of CO2 equivalent'),
    }),
  ),
);

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

const wattMillisecondsPerWattHour = 3_600_000;

/** The energy of a piece of work in Wms: by the power model if the catalogue has one, else by the token model. */
function energyWattMilliseconds(
  model: Pick<Model, 'energy'>,
  work: { inferenceMilliseconds: number; usage: Usage },
): number {
  const energy = model.energy ?? impactConstants.unknownModel;
  if ('watts' in energy) return energy.pue * (energy.watts / energy.batch) * work.inferenceMilliseconds;
  const { inputTokens, cachedInputTokens, outputTokens } = work.usage;
  const input =
    (inputTokens - cachedInputTokens) *
    energy.activeBillionParameters *
    impactConstants.inputWattMillisecondsPerBillionParameters;
  return outputTokens * outputTokenWattMilliseconds(energy) + input;
}

/** Wms per output token by EcoLogits: the energy of the GPUs that hold the model, plus their share of the server's. */
export function outputTokenWattMilliseconds(model: TokenModel): number {
  const { output } = impactConstants;
  const { activeBillionParameters: active, totalBillionParameters: total, pue } = model;
  const gigabytes = output.memoryOverhead * total * output.bytesPerParameter;
  const gpus = 2 ** Math.ceil(Math.log2(Math.ceil(gigabytes / output.gpuMemoryGigabytes)));
  const gpuWattHours =
    output.gpuWattHoursSlope * Math.exp(output.gpuWattHoursDecay * output.batch) * active +
    output.gpuWattHoursIntercept;
  const seconds =
    output.secondsPerBillionParameters * active +
    output.secondsPerBatch * output.batch +
    output.secondsIntercept;
  const serverWattHours =
    (output.serverWatts * (gpus / output.gpusPerServer) * (seconds / output.batch)) / 3_600;
  return pue * (gpus * gpuWattHours + serverWattHours) * wattMillisecondsPerWattHour;
}
