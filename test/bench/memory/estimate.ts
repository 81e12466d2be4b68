export const sizes = [128, 192, 256, 384, 512, 768, 1_024, 1_792] as const;

/** A function with this memory has the time of one vCPU; AWS publishes it. With less memory it has a part of that. */
export const megabytesOfOneCpu = 1_769;

/** Our code runs in one thread at a time, so that more than one vCPU does not make it faster. */
export const shareOfCpu = (megabytes: number): number => Math.min(1, megabytes / megabytesOfOneCpu);

/** Seconds of one piece of work: what it waits for, and its CPU at the share of its memory. */
export const secondsAt = (
  megabytes: number,
  { waitSeconds, cpuSeconds }: { waitSeconds: number; cpuSeconds: number },
): number => waitSeconds + cpuSeconds / shareOfCpu(megabytes);

/** What AWS asks for one invocation of an arm64 function, in USD. */
export const costAt = (
  megabytes: number,
  seconds: number,
  prices: { lambdaGigabyteSecond: number; lambdaRequestsPerMillion: number },
): number =>
  (megabytes / 1_024) * seconds * prices.lambdaGigabyteSecond + prices.lambdaRequestsPerMillion / 1e6;

/** What Lambda's own runtime has more than SST's client, and what a function gathers that serves for hours. */
const headroom = 1.25;

export interface Peaks {
  /** The peak of all work that was measured. */
  all: number;
  /** The peak of all work in the main thread. */
  mainThread: number;
  /** What a thread may use by its limit; zero without a thread. */
  threadLimit: number;
}

/** The memory that a function needs: what it has used, and no less than a thread at its limit, which needs no headroom, beside the main one. */
export const neededMegabytes = ({ all, mainThread, threadLimit }: Peaks): number =>
  Math.max(all * headroom, mainThread * headroom + threadLimit);

export interface Candidate {
  neededMegabytes: number;
  /** Of init and the first answer after it. */
  coldCpuSeconds: number;
  coldBoundSeconds: number;
  /** For each kind of work, the CPU that adds to its time, and by how much it may. */
  added: readonly { cpuSeconds: number; boundSeconds: number }[];
}

/** The least memory that is possible and within the bounds. Less memory is always cheaper: CPU costs the same at each. */
export function leastMemory(candidate: Candidate): number | undefined {
  return sizes.find(
    (size) =>
      size >= candidate.neededMegabytes &&
      candidate.coldCpuSeconds / shareOfCpu(size) <= candidate.coldBoundSeconds &&
      candidate.added.every(({ cpuSeconds, boundSeconds }) => cpuSeconds / shareOfCpu(size) <= boundSeconds),
  );
}
