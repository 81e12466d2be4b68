import { bodies } from './bodies.ts';
import { charges } from './charges.ts';
import { documents } from './documents.ts';
import type { Broken } from './make.ts';
import { saved } from './saved.ts';
import { statuses } from './statuses.ts';
import { streams } from './streams.ts';

/** Services that each do one thing wrong. */
export const brokenServices: readonly Broken[] = [
  ...statuses,
  ...streams,
  ...saved,
  ...bodies,
  ...documents,
  ...charges,
];
