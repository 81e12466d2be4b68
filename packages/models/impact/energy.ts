import type { Model, TokenModel } from '../catalogue.ts';
import type { Usage } from '../usage.ts';
import { impactConstants } from './constants.ts';

const wattMillisecondsPerWattHour = 3_600_000;

/** The energy of a piece of work in Wms: by the power model if the catalogue has one, else by the token model. */
export function energyWattMilliseconds(
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
