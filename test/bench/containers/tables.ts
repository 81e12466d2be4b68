import { megabytes, table } from '../figures.ts';
import { type RunFigures, runSeconds } from './runs.ts';
import { type StreamFigures, streamSeconds } from './streams.ts';

const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const both = ({ p50, p99 }: { p50: number; p99: number }): string =>
  `${milliseconds(p50)} / ${milliseconds(p99)}`;

/** The part of a container's CPU that is taken while all of them are in work. */
const partOf = (cpus: number, atOnce: number, cpuMilliseconds: number, seconds: number): string =>
  `${((atOnce * cpuMilliseconds) / 10 / seconds / cpus).toFixed(0)} %`;

/** Of streams in a process that has so much CPU, or that has all it can get. */
export const streamsTable = (rows: readonly StreamFigures[], cpus?: number): string =>
  table(
    [
      'streams at once',
      'first content p50 / p99',
      'lag of a chunk p50 / p99',
      'CPU of a stream',
      ...(cpus === undefined ? [] : [`of ${cpus} vCPU`]),
      'memory',
      'log of a stream',
      'failed',
    ],
    rows.map(({ atOnce, firstContent, lag, cpuMilliseconds, megabytes: most, logBytes, errors }) => [
      atOnce,
      both(firstContent),
      both(lag),
      milliseconds(cpuMilliseconds),
      ...(cpus === undefined ? [] : [partOf(cpus, atOnce, cpuMilliseconds, streamSeconds)]),
      megabytes(most),
      `${logBytes.toFixed(0)} bytes`,
      errors,
    ]),
  );

const words: Record<RunFigures['what'], string> = {
  simple: 'one tool call',
  page: 'reads a page',
  largePages: 'reads four pages of 4.8 MB',
};

export const runsTable = (rows: readonly RunFigures[], cpus: number): string =>
  table(
    [
      'run',
      'at once',
      'beside its models p50 / p99',
      'CPU of a run',
      `of ${cpus} vCPU`,
      'memory',
      'log of a run',
      'failed',
    ],
    rows.map(({ what, atOnce, beside, cpuMilliseconds, megabytes: most, logBytes, failed }) => [
      words[what],
      atOnce,
      both(beside),
      milliseconds(cpuMilliseconds),
      partOf(cpus, atOnce, cpuMilliseconds, runSeconds),
      megabytes(most),
      `${logBytes.toFixed(0)} bytes`,
      failed,
    ]),
  );
