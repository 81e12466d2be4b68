import { expect, test } from 'vitest';
import { monthOfContainers } from './container.ts';
import { atOnce, breakEven, kinds, monthOfLoad, runOnLambda } from './in-containers.ts';
import { hoursOfMonth, prices } from './prices.ts';

const container = { cpus: 0.5, gigabytes: 2 };
const { chat, workers } = kinds;

test('each container and each subnet of the load balancer has a public address', () => {
  const month = monthOfContainers({ container, containers: 1, balancer: { addresses: 2 } });
  expect(month.publicAddresses).toBe(3);
  expect(month.addresses).toBeCloseTo(3 * prices.publicAddressHour * hoursOfMonth);
  expect(month.all).toBeCloseTo(month.compute + month.balancer + month.addresses);
});

test('containers that work on a queue pay for no load balancer', () => {
  const month = monthOfContainers({ container, containers: 2 });
  expect([month.balancer, month.publicAddresses]).toEqual([0, 2]);
});

test('behind NAT gateways the gateways have addresses, and the containers have none', () => {
  const month = monthOfContainers({ container, containers: 30, gateways: 2 });
  expect(month.publicAddresses).toBe(2);
  expect(month.gateways).toBeCloseTo(2 * prices.gatewayHour * hoursOfMonth);
});

test('in the busy hours there are as many containers as the peak asks for, and otherwise the least', () => {
  const aDay = (4 * chat.wanted * 8 * 3_600) / chat.seconds;
  expect(atOnce(chat, aDay)).toBeCloseTo(4 * chat.wanted);
  expect(monthOfLoad({ kind: chat, aDay, peakFactor: 1 }).busy).toBe(4);
  expect(monthOfLoad({ kind: chat, aDay, peakFactor: 10 }).busy).toBe(40);
  expect(monthOfLoad({ kind: chat, aDay: 1, peakFactor: 10 }).busy).toBe(2);
  const month = monthOfLoad({ kind: workers, aDay: 1, peakFactor: 1 });
  expect(month.all).toBeCloseTo(monthOfContainers({ container: workers.container, containers: 2 }).all);
});

test("the balancer's units grow with what it forwards", () => {
  const load = { kind: chat, aDay: 1_000, peakFactor: 1 };
  const [small, large] = [1e6, 2e9].map((bytesOfOne) => monthOfLoad({ ...load, bytesOfOne }).all);
  expect(large).toBeGreaterThan((small ?? 0) + prices.balancerUnitHour * hoursOfMonth);
});

test('a run that has others beside it costs its part of the invocation', () => {
  expect(runOnLambda(10)).toBeCloseTo(runOnLambda(1) / 10, 12);
});

test('containers break even later where Lambda costs less, and where the peak needs more of them', () => {
  const load = { kind: chat, peakFactor: 1, bytesOfOne: 20_000 };
  const usual = breakEven(load, () => 0.00007) ?? 0;
  expect(breakEven(load, () => 0.000035)).toBeGreaterThan(1.9 * usual);
  expect(breakEven({ ...load, peakFactor: 1_000 }, () => 0.00007) ?? Infinity).toBeGreaterThan(usual);
});

test('containers never break even with what costs nothing', () => {
  expect(breakEven({ kind: workers, peakFactor: 1 }, () => 0)).toBeUndefined();
});

test('a number a day from which containers cost less is the first one', () => {
  const lambda = () => runOnLambda(1);
  const even = breakEven({ kind: workers, peakFactor: 1 }, lambda) ?? 0;
  const differs = (aDay: number) =>
    monthOfLoad({ kind: workers, aDay, peakFactor: 1 }).all - (aDay * lambda() * hoursOfMonth) / 24;
  expect(differs(even)).toBeLessThan(0);
  expect(differs(even - 1)).toBeGreaterThanOrEqual(0);
});
