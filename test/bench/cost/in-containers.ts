import {
  type ContainerShape,
  containerShapes,
  leastContainers,
  runsOfContainer,
  runsWanted,
  streamsWanted,
} from '../../../infra/container-shapes.ts';
import { functionShapes } from '../../../infra/functions.ts';
import { type Container, monthOfContainers } from './container.ts';
import { hoursOfMonth, prices } from './prices.ts';
import { assumedSeconds } from './usage.ts';

/** What a user does on each day of the month, all users in the same busy hours. */
export const day = { completions: 10, runs: 2, busyHours: 8 } as const;
const busyPart = day.busyHours / 24;

const sizeOf = ({ cpu, memory }: ContainerShape): Container => ({
  cpus: Number.parseFloat(cpu),
  gigabytes: Number.parseFloat(memory),
});

interface Kind {
  /** Of these there are as many a day. */
  what: 'completions' | 'runs';
  /** How long one is in work. */
  seconds: number;
  container: Container;
  /** The stage has as many containers as give each so many on the average. */
  wanted: number;
  /** The subnets of the balancer, which requests come through. */
  balancerAddresses: number;
}

export const kinds = {
  chat: {
    what: 'completions',
    seconds: assumedSeconds.chat,
    container: sizeOf(containerShapes.chat),
    wanted: streamsWanted,
    balancerAddresses: 2,
  },
  workers: {
    what: 'runs',
    seconds: assumedSeconds.run,
    container: sizeOf(containerShapes.workers),
    wanted: runsWanted(runsOfContainer),
    balancerAddresses: 0,
  },
} as const satisfies Record<string, Kind>;

export interface Load {
  kind: Kind;
  /** Completions or runs. */
  aDay: number;
  /** The busiest time has so many times the mean of the busy hours. */
  peakFactor: number;
  /** What the balancer forwards for one. */
  bytesOfOne?: number;
}

/** The mean of the busy hours. */
export const atOnce = (kind: Kind, aDay: number): number => (aDay * kind.seconds) / (day.busyHours * 3_600);

export const aMonth = (aDay: number): number => (aDay * hoursOfMonth) / 24;

/** A month of containers: in busy hours as many as the peak asks for, in the others the least. */
export function monthOfLoad({ kind, aDay, peakFactor, bytesOfOne = 0 }: Load) {
  const mean = atOnce(kind, aDay);
  const busy = Math.max(leastContainers, Math.ceil((mean * peakFactor) / kind.wanted));
  const aSecond = aDay / (24 * 3_600);
  const units = Math.max(aSecond / 25, (mean * busyPart) / 3_000, (aSecond * 3_600 * bytesOfOne) / 1e9);
  const month = monthOfContainers({
    container: kind.container,
    containers: busy * busyPart + leastContainers * (1 - busyPart),
    ...(kind.balancerAddresses > 0 && { balancer: { addresses: kind.balancerAddresses, units } }),
  });
  return { busy, all: month.all };
}

/** What a run costs of the worker's function that has so many beside each other in an invocation. */
export const runOnLambda = (beside: number): number =>
  (((kinds.workers.seconds * functionShapes.worker.memoryMegabytes) / 1_024) * prices.lambdaGigabyteSecond +
    prices.lambdaRequestsPerMillion / 1e6) /
  beside;

/** A number a day at which containers begin to cost less than Lambda; undefined if there is none. */
export function breakEven(load: Omit<Load, 'aDay'>, lambda: (aDay: number) => number): number | undefined {
  const costsLess = (aDay: number) => monthOfLoad({ ...load, aDay }).all < aMonth(aDay) * lambda(aDay);
  let [less, more] = [1, 1e9];
  if (!costsLess(more)) return undefined;
  while (more - less > 1) {
    const middle = Math.round((less + more) / 2);
    if (costsLess(middle)) more = middle;
    else less = middle;
  }
  return more;
}
