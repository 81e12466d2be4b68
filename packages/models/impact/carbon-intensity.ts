import type { Clock, Config, Log } from '@errand/platform';
import { readBytes } from '../read-bytes.ts';
import { requestUpstream } from '../upstream.ts';
import { UpstreamError } from '../upstream-error.ts';
import { impactConstants } from './constants.ts';

/** The current carbon intensity of the models' grid, in g/kWh. Never rejects. */
export type CarbonIntensity = () => Promise<number>;

interface CarbonDeps {
  clock: Clock;
  log: Log;
  carbon: Config['carbon'];
}

const defaultBaseUrl = 'https://api.electricitymaps.com';
const hourMilliseconds = 3_600_000;
const retryMilliseconds = 60_000;
const askMilliseconds = 2_000;
const highestGramsPerKilowattHour = 10_000;

/**
 * Asks Electricity Maps once an hour and keeps the figure until the hour ends. Gives the zone's yearly average if there
 * is no key, and for a minute after each failure.
 */
export function createCarbonIntensity(deps: CarbonDeps): CarbonIntensity {
  const { clock, log, carbon } = deps;
  const yearly = yearlyIntensity(carbon.zone);
  const { apiKey } = carbon;
  if (apiKey === undefined) return async () => yearly;
  let known = { until: 0, figure: Promise.resolve(yearly) };
  return () => {
    const now = clock();
    // A value that expires more than an hour from now was cached before the clock was set back.
    if (now < known.until && known.until - now <= hourMilliseconds) return known.figure;
    const entry = {
      until: (Math.floor(now / hourMilliseconds) + 1) * hourMilliseconds,
      figure: known.figure,
    };
    entry.figure = askElectricityMaps(carbon, apiKey).catch((error: unknown) => {
      entry.until = Math.min(entry.until, clock() + retryMilliseconds);
      const failure = error instanceof UpstreamError ? error.kind : 'unreadable';
      log.warn('carbon intensity unavailable, using the yearly average', { zone: carbon.zone, failure });
      return yearly;
    });
    known = entry;
    return entry.figure;
  };
}

/** The yearly average of the zone in g/kWh; else of its country, else of the world. */
export function yearlyIntensity(zone: string): number {
  const { gramsPerKilowattHour, worldGramsPerKilowattHour } = impactConstants;
  const country = zone.split('-')[0] ?? zone;
  return gramsPerKilowattHour[zone] ?? gramsPerKilowattHour[country] ?? worldGramsPerKilowattHour;
}

async function askElectricityMaps(carbon: Config['carbon'], apiKey: string): Promise<number> {
  const baseUrl = (carbon.baseUrl ?? defaultBaseUrl).replace(/\/v3$/, '');
  const response = await requestUpstream(
    { baseUrl, model: 'carbon-intensity' },
    {
      path: `/v3/carbon-intensity/latest?zone=${encodeURIComponent(carbon.zone)}`,
      method: 'GET',
      headers: { 'auth-token': apiKey },
      connectMilliseconds: askMilliseconds,
      firstByteMilliseconds: askMilliseconds,
    },
  );
  const bytes = await readBytes(response, { limitBytes: 65_536, timeoutMilliseconds: askMilliseconds });
  const { carbonIntensity } = JSON.parse(bytes.toString('utf8')) as { carbonIntensity?: unknown };
  if (
    typeof carbonIntensity !== 'number' ||
    !(carbonIntensity >= 0 && carbonIntensity <= highestGramsPerKilowattHour)
  )
    throw new UpstreamError('unreadable');
  return carbonIntensity;
}
