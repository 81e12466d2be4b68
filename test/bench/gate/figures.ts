import type { Both, Round } from './noise.ts';

/** What is measured, each in milliseconds. */
export const timeKinds = {
  cpu: 'CPU',
  storeCpu: 'CPU of the store',
  duration: 'p50',
  init: 'CPU of init',
} as const;
export type TimeKind = keyof typeof timeKinds;

/** What is counted, and how much more of it is not dearer yet. */
export const countKinds = {
  requests: { name: 'requests to the store', allowed: 0 },
  // Amounts and times have more digits or fewer.
  bytes: { name: 'bytes to the store', allowed: 32 },
  bundle: { name: 'bytes at init', allowed: 5_000 },
} as const;
export type CountKind = keyof typeof countKinds;

/** `what` is a load or a function. */
export interface Time {
  what: string;
  kind: TimeKind;
  rounds: Round[];
}

export interface Count extends Both<number> {
  what: string;
  kind: CountKind;
}

export interface Measured {
  times: Time[];
  counts: Count[];
}
