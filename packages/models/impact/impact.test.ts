import { createHash } from 'node:crypto';
import { createLog, silentLog } from '@errand/platform';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedUpstream, startUpstream } from '../../../test/support/scripted-upstream.ts';
import { createCarbonIntensity, yearlyIntensity } from './carbon-intensity.ts';
import { impactConstants } from './constants.ts';
import { measureImpact, outputTokenWattMilliseconds } from './measure-impact.ts';

const netherlands = { carbonIntensity: async () => 253 };
const usage = { inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 500 };

test('a figure of the power model can be recomputed by hand', async () => {
  const impact = await measureImpact(
    netherlands,
    { energy: { watts: 700, batch: 16, pue: 1.2 } },
    { inferenceMilliseconds: 2_000, usage },
  );
  // 1.2 x 700 W / 16 = 52.5 W; for 2000 ms 105,000 Wms; x 253 g/kWh / 3600 = 7379.17 ug
  expect(JSON.stringify(impact)).toBe(
    '{"version":"20261121","inferenceTime":{"total":2000,"unit":"ms"},"energy":{"total":105000,"unit":"Wms"},"emissions":{"total":7379,"unit":"ugCO2e"}}',
  );
});

test('a figure of the token model can be recomputed from docs/impact.md, line by line', async () => {
  const active = 27;
  const gpus = 2 ** Math.ceil(Math.log2(Math.ceil((1.2 * active * 16) / 8 / 80)));
  const gpuWattHours = 1.16653e-6 * Math.exp(-0.0112059 * 64) * active + 4.05293e-5;
  const seconds = 6.785e-4 * active + 3.1193e-4 * 64 + 0.0194737;
  const serverWattHours = ((1.2 * gpus) / 8) * (seconds / 3600 / 64) * 1000;
  const perOutputToken = 1.2 * (gpus * gpuWattHours + serverWattHours) * 3_600_000;
  const energy = Math.round(500 * perOutputToken + 600 * active * 3.54);
  const model = { energy: { activeBillionParameters: active, totalBillionParameters: active, pue: 1.2 } };
  const impact = await measureImpact(netherlands, model, { inferenceMilliseconds: 2_000, usage });
  expect(impact.energy.total).toBe(energy);
  expect(impact.emissions.total).toBe(Math.round((energy * 253) / 3600));
});

test.each([
  [9, 325],
  [27, 404],
  [70, 2367],
])('%d billion parameters take %d Wms an output token', (billion, expected) => {
  const model = { activeBillionParameters: billion, totalBillionParameters: billion, pue: 1.2 };
  expect(Math.round(outputTokenWattMilliseconds(model))).toBe(expected);
});

test('a model of unknown size is taken for a large one', async () => {
  const unknown = await measureImpact(netherlands, {}, { inferenceMilliseconds: 1, usage });
  const large = { energy: { activeBillionParameters: 70, totalBillionParameters: 70, pue: 1.2 } };
  expect(unknown).toEqual(await measureImpact(netherlands, large, { inferenceMilliseconds: 1, usage }));
});

test('totals are whole numbers of at least 1, whatever the work', async () => {
  const count = fc.integer({ min: 0, max: 1_000_000 });
  const energy = fc.oneof(
    fc.record({
      watts: fc.double({ min: 1e-6, max: 1e5, noNaN: true }),
      batch: fc.constant(16),
      pue: fc.constant(1.2),
    }),
    fc.record({
      activeBillionParameters: fc.double({ min: 0.01, max: 2_000, noNaN: true }),
      totalBillionParameters: fc.double({ min: 0.01, max: 2_000, noNaN: true }),
      pue: fc.constant(1),
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      energy,
      fc.double({ min: 0, max: 1e7, noNaN: true }),
      count,
      count,
      fc.double({ min: 0, max: 1_000, noNaN: true }),
      async (source, milliseconds, input, output, grams) => {
        const impact = await measureImpact(
          { carbonIntensity: async () => grams },
          { energy: source },
          {
            inferenceMilliseconds: milliseconds,
            usage: { inputTokens: input, cachedInputTokens: 0, outputTokens: output },
          },
        );
        for (const { total } of [impact.inferenceTime, impact.energy, impact.emissions]) {
          expect(Number.isSafeInteger(total)).toBe(true);
          expect(total).toBeGreaterThanOrEqual(1);
        }
      },
    ),
  );
});

test('a change of the constants changes the version', () => {
  const { version, ...constants } = impactConstants;
  const digest = createHash('sha256').update(JSON.stringify(constants)).digest('hex').slice(0, 16);
  expect(version).toMatch(/^\d{8}$/);
  expect([version, digest]).toEqual(['20261121', '95c70d443028dbb5']);
});

describe('carbon intensity', () => {
  let maps: ScriptedUpstream;
  let now = 0;
  const hour = 3_600_000;
  const lines: string[] = [];

  beforeAll(async () => {
    maps = await startUpstream();
  });
  afterAll(() => maps.close());

  const create = (carbon: { apiKey?: string; zone?: string } = { apiKey: 'em-secret' }) =>
    createCarbonIntensity({
      clock: () => now,
      log: createLog((line) => void lines.push(line)),
      carbon: { zone: 'NL', baseUrl: maps.baseUrl.replace('/v1', ''), ...carbon },
    });
  const answers = (body: unknown, status = 200) => maps.script((wire) => wire.json(status, body));

  test('is fetched once an hour', async () => {
    now = 10 * hour + 5;
    const intensity = create();
    answers({ zone: 'NL', carbonIntensity: 301, datetime: '2026-11-21T10:00:00Z' });
    expect(await Promise.all([intensity(), intensity()])).toEqual([301, 301]);
    now = 11 * hour - 1;
    expect(await intensity()).toBe(301);
    expect(maps.requests).toHaveLength(1);
    expect(maps.requests[0]).toMatchObject({
      path: '/v3/carbon-intensity/latest?zone=NL',
      headers: { 'auth-token': 'em-secret' },
    });
    now = 11 * hour;
    answers({ carbonIntensity: 20.5 });
    expect(await intensity()).toBe(20.5);
  });

  test('is fetched again after the clock was set back', async () => {
    now = 10 * hour + 5;
    const intensity = create();
    answers({ carbonIntensity: 301 });
    expect(await intensity()).toBe(301);
    now -= 2 * hour;
    answers({ carbonIntensity: 20 });
    expect(await intensity()).toBe(20);
  });

  test.each<[string, () => void]>([
    ['fails', () => answers({ message: 'em-secret' }, 500)],
    ['refuses the key', () => answers({ message: 'em-secret' }, 401)],
    ['breaks', () => maps.script((wire) => wire.reset())],
    ['says nothing of use', () => answers({ carbonIntensity: '300' })],
    ['says what cannot be', () => answers({ carbonIntensity: -1 })],
    ['sends no JSON', () => answers('<html>')],
  ])(
    'is the yearly average when Electricity Maps %s, and is asked for again a minute later',
    async (_, script) => {
      now = 20 * hour;
      const intensity = create();
      script();
      expect(await intensity()).toBe(253);
      const asked = maps.requests.length;
      now += 59_999;
      expect(await intensity()).toBe(253);
      expect(maps.requests).toHaveLength(asked);
      answers({ carbonIntensity: 100 });
      now++;
      expect(await intensity()).toBe(100);
      expect(lines.join('')).not.toContain('em-secret');
    },
  );

  test('is the yearly average without a key', async () => {
    answers({ carbonIntensity: 1 });
    const intensity = createCarbonIntensity({
      clock: () => now,
      log: silentLog,
      carbon: { zone: 'FR', baseUrl: maps.baseUrl },
    });
    expect(await intensity()).toBe(44);
    expect(maps.requests).toHaveLength(0);
  });

  test.each([
    ['NL', 253],
    ['US-CAL-CISO', 384],
    ['DE', 344],
    ['ZZ', 473],
  ])('%s has the yearly average %d', (zone, grams) => {
    expect(yearlyIntensity(zone)).toBe(grams);
  });
});
