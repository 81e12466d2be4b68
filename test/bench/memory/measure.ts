import { readFileSync } from 'node:fs';
import type { Cloud, CloudFunction } from '../../support/lambda/cloud.ts';
import { percentiles } from '../figures.ts';
import { measureCpu } from '../processes.ts';
import type { Work } from './work.ts';

export interface Init {
  cpuSeconds: number;
  wallSeconds: number;
}

export interface Measured {
  work: Work;
  cpuSeconds: number;
  /** Until its answer begins. */
  cpuToAnswerSeconds: number;
}

/** What Lambda's own Node gets at this memory. SST's runtime client stands in for the rest of Lambda's runtime. */
const heapOptions = (megabytes: number): string =>
  `--max-old-space-size=${Math.floor(0.9 * megabytes)} --max-semi-space-size=${Math.max(1, Math.floor(0.05 * megabytes))}`;

/** Starts a function as Lambda would at this memory. Its init is what its process has used when it asks for work. */
export async function startAt(
  cloud: Cloud,
  name: Work['name'],
  megabytes: number,
  environment: Record<string, string>,
): Promise<{ target: CloudFunction; init: Init }> {
  const options = [environment.NODE_OPTIONS, heapOptions(megabytes)].filter(Boolean).join(' ');
  const target = await cloud.start(name, { environment: { ...environment, NODE_OPTIONS: options } });
  return { target, init: { cpuSeconds: cpuOf(target.pid), wallSeconds: ageOf(target.pid) } };
}

/** Measures the rounds of the work. */
export async function measure(work: Work, target: CloudFunction): Promise<Measured> {
  const { shareOfOne = 1, rounds } = work;
  const all: Cpu[] = [];
  for (let round = 0; round < rounds; round++) all.push(await measureOnce(work, target));
  return {
    work,
    cpuSeconds: percentiles(all.map(({ whole }) => whole)).p50 / shareOfOne,
    cpuToAnswerSeconds: percentiles(all.map(({ toAnswer }) => toAnswer)).p50,
  };
}

export interface Cpu {
  whole: number;
  toAnswer: number;
}

/** The seconds of CPU of one piece of work, and those of a stream until its answer begins. */
export async function measureOnce({ prepare, once }: Work, target: CloudFunction): Promise<Cpu> {
  await prepare?.();
  const ofThreads = measureCpu([target.pid]);
  const before = cpuOf(target.pid);
  let toAnswer: number | undefined;
  await once(target, () => {
    toAnswer ??= ofThreads() / 1_000;
  });
  // The process's own clock has ticks of 10 ms, but counts threads that have ended.
  const ofProcess = cpuOf(target.pid) - before;
  const fine = ofThreads() / 1_000;
  const whole = ofProcess > fine + tickSeconds ? ofProcess : fine;
  return { whole, toAnswer: toAnswer ?? whole };
}

const tickSeconds = 0.01;

/** Seconds since the process was started. */
function ageOf(pid: number): number {
  const [uptime] = readFileSync('/proc/uptime', 'utf8').split(' ');
  return Number(uptime) - Number(statOf(pid)[19]) * tickSeconds;
}

const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];

/** User and system time of the process, with that of threads that have ended. */
function cpuOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * tickSeconds;
}

/** The most memory that was resident since the process began. */
export function peakMegabytes(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_024;
}
