import type { FunctionName } from './permissions.ts';

export interface ContainerShape {
  cpu: '0.25 vCPU' | '0.5 vCPU';
  memory: '1 GB' | '2 GB';
  /** The name of its file in `functions/`. */
  entry: string;
  /** The function that it works like: it may do as much, and is told as much. */
  like: FunctionName;
}

export const containerShapes = {
  uploads: { cpu: '0.5 vCPU', memory: '2 GB', entry: 'large-uploads', like: 'agents' },
  chat: { cpu: '0.25 vCPU', memory: '1 GB', entry: 'chat-container', like: 'chat' },
  workers: { cpu: '0.5 vCPU', memory: '2 GB', entry: 'worker-container', like: 'worker' },
} as const satisfies Record<string, ContainerShape>;

/** One may fail, or be replaced. */
export const leastContainers = 2;

/** A bound on what chat can cost: 3,000 streams at once. */
export const mostChatContainers = 50;
/** The other half of the CPU is for chunks that come at the same time. */
export const chatCpuPercent = 50;
/** What takes that much of the CPU in test/bench/containers/README.md. */
export const streamsWanted = 60;

/** The most runs that one container works on at once. */
export const runsOfContainer = 32;
/** Runs must not wait for a place while containers can be had. */
export const runsWanted = (runs: number): number => Math.max(1, Math.floor(runs * 0.7));

/** As many containers as the stage's runs need, with as many runs each. */
export function shareOut(runsAtOnce: number): { containers: number; runs: number } {
  const containers = Math.max(leastContainers, Math.ceil(runsAtOnce / runsOfContainer));
  return { containers, runs: Math.floor(runsAtOnce / containers) };
}
