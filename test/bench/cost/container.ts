import { hoursOfMonth, prices } from './prices.ts';

export interface Container {
  /** Parts of a vCPU. */
  cpus: number;
  gigabytes: number;
}

interface MonthOfContainers {
  container: Container;
  /** The mean of the month. */
  containers: number;
  /** What forwards requests to them. Containers that work on a queue have none. */
  balancer?: { addresses: number; units?: number };
  /** The gateways through which containers without addresses reach the internet. Each has an address. */
  gateways?: number;
}

/** What a month of containers costs. Each has an address, unless there are gateways, as has each subnet of the balancer. */
export function monthOfContainers({ container, containers, balancer, gateways = 0 }: MonthOfContainers) {
  const hours = hoursOfMonth;
  const compute =
    containers *
    (container.cpus * prices.containerCpuHour + container.gigabytes * prices.containerGigabyteHour) *
    hours;
  const ofBalancer = balancer
    ? (prices.balancerHour + (balancer.units ?? 0) * prices.balancerUnitHour) * hours
    : 0;
  const publicAddresses = (gateways || containers) + (balancer?.addresses ?? 0);
  const addresses = publicAddresses * prices.publicAddressHour * hours;
  const ofGateways = gateways * prices.gatewayHour * hours;
  return {
    compute,
    balancer: ofBalancer,
    publicAddresses,
    addresses,
    gateways: ofGateways,
    all: compute + ofBalancer + addresses + ofGateways,
  };
}
