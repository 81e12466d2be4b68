import { table } from '../figures.ts';
import { hoursOfMonth, prices } from './prices.ts';

export interface Container {
  /** Parts of a vCPU. */
  cpus: number;
  gigabytes: number;
}

/** What a month of containers behind a load balancer costs. Each container and each of the balancer's subnets has an address. */
export function monthOfContainers({
  container,
  containers,
  balancerAddresses,
  balancerUnits = 0,
}: {
  container: Container;
  containers: number;
  balancerAddresses: number;
  balancerUnits?: number;
}) {
  const hours = hoursOfMonth;
  const compute =
    containers *
    (container.cpus * prices.containerCpuHour + container.gigabytes * prices.containerGigabyteHour) *
    hours;
  const balancer = (prices.balancerHour + balancerUnits * prices.balancerUnitHour) * hours;
  const publicAddresses = containers + balancerAddresses;
  const addresses = publicAddresses * prices.publicAddressHour * hours;
  return { compute, balancer, publicAddresses, addresses, all: compute + balancer + addresses };
}

/** The least that Fargate has. */
const smallest: Container = { cpus: 0.25, gigabytes: 0.5 };
const balancerAddresses = 2;
/** One may fail, or be replaced in a deploy. */
const leastContainers = 2;
const streamSeconds = 10;
/** The part of its CPU that a container plans for, so that chunks do not wait for each other. */
const usedCpu = 0.5;
/** The highest figures of a process that streams in the rows of test/bench/chat/README.md. */
export const measured = { cpuMilliseconds: 20.44, processMegabytes: 280 } as const;
/** The memory of a stream with its two connections. An assumption: in that table a reader, with one connection, takes 0.15 MB. */
const streamMegabytes = 0.5;

/** How many completions a container can stream at once, by CPU and by memory. */
export function streamsOf({ cpus, gigabytes }: Container): number {
  const byCpu = (cpus * usedCpu) / (measured.cpuMilliseconds / 1_000 / streamSeconds);
  const byMemory = (gigabytes * 1_024 * 0.9 - measured.processMegabytes) / streamMegabytes;
  return Math.floor(Math.min(byCpu, byMemory));
}

interface Shape {
  /** What one completion costs of Lambda, in USD. */
  lambda: number;
  bytesOfStream: number;
  /** The busiest time has so many times the mean. */
  peakFactor: number;
}

/** The month's containers for so many completions of 10 s. */
function containersFor(completions: number, { bytesOfStream, peakFactor }: Shape) {
  const meanAtOnce = (completions * streamSeconds) / (hoursOfMonth * 3_600);
  const containers = Math.max(leastContainers, Math.ceil((meanAtOnce * peakFactor) / streamsOf(smallest)));
  const aSecond = completions / (hoursOfMonth * 3_600);
  const balancerUnits = Math.max(
    aSecond / 25,
    meanAtOnce / 3_000,
    (completions * bytesOfStream) / 1e9 / hoursOfMonth,
  );
  const month = monthOfContainers({ container: smallest, containers, balancerAddresses, balancerUnits });
  return { meanAtOnce, containers, ...month };
}

/** The number of completions a month from which containers cost less than Lambda. */
export function breakEven(shape: Shape): number {
  let [less, more] = [1, 1e9];
  while (more - less > 1) {
    const middle = Math.round((less + more) / 2);
    if (middle * shape.lambda > containersFor(middle, shape).all) more = middle;
    else less = middle;
  }
  return more;
}

const dollars = (amount: number) => `$${amount < 10 ? amount.toFixed(2) : amount.toFixed(0)}`;
const peakFactors = [1, 4, 10] as const;

/** What is taken of a stream and its container, and what one container then holds. */
export const containerAssumptions = (): string =>
  [
    `A completion takes ${streamSeconds} s and has 200 chunks. A stream takes ${measured.cpuMilliseconds} ms of CPU, and ${streamMegabytes} MB beside the ${measured.processMegabytes} MB of its process; streams get ${usedCpu * 100} % of the CPU.`,
    `A container of ${smallest.cpus} vCPU and ${smallest.gigabytes} GB streams ${streamsOf(smallest)} completions at once; ${leastContainers} at least, of as many as the peak asks for:`,
  ].join('\n\n');

/** Completions of 10 s on Lambda and in containers. Stores, edge and models cost the same in both. */
export function comparisonTable(given: Omit<Shape, 'peakFactor'>): string {
  const cells = (completions: number) =>
    peakFactors.map((peakFactor) => {
      const { all, containers } = containersFor(completions, { ...given, peakFactor });
      return `${dollars(all)} (${containers})`;
    });
  const heads = peakFactors.map((factor) => `peak ${factor} times the mean`);
  return [
    containerAssumptions(),
    table(
      ['completions a month', 'at once, mean', 'Lambda', ...heads.map((head) => `containers, ${head}`)],
      [1_000, 100_000, 10_000_000].map((completions) => [
        completions.toLocaleString('en'),
        containersFor(completions, { ...given, peakFactor: 1 }).meanAtOnce.toFixed(2),
        dollars(completions * given.lambda),
        ...cells(completions),
      ]),
    ),
    `Containers cost less from ${breakEvens(given)} completions a month.`,
  ].join('\n\n');
}

/** One number for each peak, or one if they are the same. */
function breakEvens(given: Omit<Shape, 'peakFactor'>): string {
  const rounded = peakFactors.map(
    (peakFactor) => Math.round(breakEven({ ...given, peakFactor }) / 1_000) * 1_000,
  );
  return [...new Set(rounded)].map((each) => each.toLocaleString('en')).join(', ');
}
