import { expect, test } from 'vitest';
import { breakEven, monthOfContainers, streamsOf } from './container.ts';
import { hoursOfMonth, prices } from './prices.ts';

const container = { cpus: 0.5, gigabytes: 2 };

test('each container and each subnet of the load balancer has a public address', () => {
  const month = monthOfContainers({ container, containers: 1, balancerAddresses: 2 });
  expect(month.publicAddresses).toBe(3);
  expect(month.addresses).toBeCloseTo(3 * prices.publicAddressHour * hoursOfMonth);
  expect(month.all).toBeCloseTo(month.compute + month.balancer + month.addresses);
});

test('a container streams as much as its CPU and its memory allow', () => {
  expect(streamsOf({ cpus: 0.5, gigabytes: 1_000 })).toBe(2 * streamsOf({ cpus: 0.25, gigabytes: 1_000 }));
  expect(streamsOf({ cpus: 1_000, gigabytes: 1 })).toBeLessThan(streamsOf({ cpus: 1_000, gigabytes: 2 }));
});

test('containers break even later where Lambda is cheaper, and where the peak needs more of them', () => {
  const shape = { lambda: 0.00007, bytesOfStream: 20_000, peakFactor: 1 };
  expect(breakEven({ ...shape, lambda: 0.000035 })).toBeGreaterThan(1.9 * breakEven(shape));
  expect(breakEven({ ...shape, peakFactor: 100 })).toBeGreaterThan(breakEven(shape));
});
