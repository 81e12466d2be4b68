import type { AgentDeps } from '@errand/agent';
import type { RunsDeps } from '../deps.ts';
import type { LeaseDeps } from '../lease.ts';
import type { Authorizations } from '../remote-servers.ts';
import type { RunRecord } from '../run.ts';
import type { RunInput } from '../store.ts';
import type { RunLock } from './run-lock.ts';

/** Makes the agent's tools and models for one run. A problem, in words for its caller, ends the run. */
export type MakeAgent = (
  run: RunRecord,
  input: RunInput,
  authorizations: Authorizations,
) => AgentDeps | { problem: string };

export interface WorkerDeps extends RunsDeps, LeaseDeps {
  makeAgent: MakeAgent;
  /** For tests that hold the time: the wait of a run for a provider, in place of the queue's. */
  wait?: RunsDeps['clock']['wait'];
}

export interface HandlerDeps extends WorkerDeps {
  /** The lock over the runs of this process. */
  runLock: RunLock;
}
