export const formatCount = (count: number): string => count.toLocaleString('en');

interface Scale {
  per: number;
  unit: string;
}

const figures = (value: number): string =>
  value >= 100 ? formatCount(Math.round(value)) : String(Number(value.toPrecision(3)));

function scaled(value: number, scales: readonly Scale[]): string {
  const scale = scales.find(({ per }) => value >= per) ?? scales.at(-1)!;
  return `${figures(value / scale.per)} ${scale.unit}`;
}

const wattHour = 3_600_000;

/** Energy that the service tells in milliseconds of a watt. */
export const formatEnergy = (wattMilliseconds: number): string =>
  scaled(wattMilliseconds, [
    { per: wattHour * 1000, unit: 'kWh' },
    { per: wattHour, unit: 'Wh' },
    { per: wattHour / 1000, unit: 'mWh' },
    { per: wattHour / 1_000_000, unit: 'µWh' },
  ]);

/** Emissions that the service tells in micrograms. */
export const formatEmissions = (micrograms: number): string =>
  scaled(micrograms, [
    { per: 1e9, unit: 'kg CO₂e' },
    { per: 1e6, unit: 'g CO₂e' },
    { per: 1e3, unit: 'mg CO₂e' },
    { per: 1, unit: 'µg CO₂e' },
  ]);

export const formatBytes = (bytes: number): string =>
  scaled(bytes, [
    { per: 1e6, unit: 'MB' },
    { per: 1e3, unit: 'kB' },
    { per: 1, unit: 'bytes' },
  ]);

export const formatShare = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
