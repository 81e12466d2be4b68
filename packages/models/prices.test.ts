import { expect, test } from 'vitest';
import { parseCatalogue } from './parse-catalogue.ts';
import { priceAt } from './prices.ts';

const pricesOf = (price: unknown) => {
  const upstream = { baseUrl: 'http://127.0.0.1:9/v1', model: 'm' };
  const [model] = parseCatalogue(
    { models: [{ id: 'ears', kind: 'speech', upstream, price }] },
    () => undefined,
  ).models;
  return (time: string) => priceAt(model ?? { prices: [{}] }, Date.parse(time)).perSecond;
};

test('a price holds from midnight UTC of its day until the next one does', () => {
  const costs = pricesOf([
    { from: '2027-03-01', perSecond: 3 },
    { perSecond: 1 },
    { from: '2027-01-01', perSecond: 2 },
  ]);
  const times = ['1970-01-01', '2026-12-31T23:59:59.999Z', '2027-01-01', '2027-02-28T23:59:59.999Z'];
  expect(times.map(costs)).toEqual([1, 1, 2, 2]);
  expect(['2027-03-01T00:00:00Z', '2999-01-01'].map(costs)).toEqual([3, 3]);
});

test.each([
  [{ from: '2027-01-01', perSecond: 1 }],
  [[{ from: '2027-01-01', perSecond: 1 }]],
  [
    [
      { from: '2027-02-01', perSecond: 2 },
      { from: '2027-01-01', perSecond: 1 },
    ],
  ],
])('the earliest price of %j holds before its own day too', (price) => {
  expect(['1970-01-01', '2027-01-01'].map(pricesOf(price))).toEqual([1, 1]);
});
