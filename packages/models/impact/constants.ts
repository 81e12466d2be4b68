/**
 * Every number that an impact is computed from; docs/impact.md gives the sources. `version` is the day of the last
 * change; a test fails if the numbers change without it.
 */
export const impactConstants = {
  version: '20261121',

  /** EcoLogits' regression of measured energy per output token on H100 servers. */
  output: {
    batch: 64,
    gpuWattHoursSlope: 1.16653e-6,
    gpuWattHoursDecay: -0.0112059,
    gpuWattHoursIntercept: 4.05293e-5,
    secondsPerBillionParameters: 6.785e-4,
    secondsPerBatch: 3.1193e-4,
    secondsIntercept: 0.0194737,
    gpuMemoryGigabytes: 80,
    memoryOverhead: 1.2,
    bytesPerParameter: 2,
    serverWatts: 1_200,
    gpusPerServer: 8,
  },

  /** 2 FLOP per parameter, 989 TFLOP/s at 40 % utilisation, 700 W. */
  inputWattMillisecondsPerBillionParameters: 3.54,

  /** Stands in for models whose catalogue entry has no `energy`. */
  unknownModel: { activeBillionParameters: 70, totalBillionParameters: 70, pue: 1.2 },

  /** Yearly averages by zone. */
  gramsPerKilowattHour: { NL: 253, DE: 344, FR: 44, SE: 36, US: 384 } as Readonly<Record<string, number>>,
  worldGramsPerKilowattHour: 473,
} as const;
