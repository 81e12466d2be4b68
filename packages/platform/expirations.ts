import { limits } from './limits.ts';

/**
 * What every key of the bucket begins with: what callers sent, long texts of runs, files that runs saved, what passes
 * between the converter and its callers, and long responses.
 */
export const filePrefixes = {
  uploads: 'uploads/',
  events: 'events/',
  saved: 'saved/',
  conversions: 'conversions/',
  responses: 'responses/',
} as const;

export type FilePrefix = (typeof filePrefixes)[keyof typeof filePrefixes];

export const daySeconds = 24 * 60 * 60;

/** How many days runs can be read for, unless configured otherwise. */
export const usualRunDays = Math.ceil(limits.runReadableSeconds / daySeconds);
const responseDays = Math.ceil(limits.responseKeptSeconds / daySeconds);

/**
 * Whole days after which objects expire, where runs can be read for `runDays`. A run's texts and saved files get a day more
 * than the run, so that none is gone while the run or the link to a file can still be read.
 */
export const fileExpirations = (runDays = usualRunDays): readonly { prefix: FilePrefix; days: number }[] => [
  { prefix: filePrefixes.uploads, days: runDays },
  { prefix: filePrefixes.events, days: runDays + 1 },
  { prefix: filePrefixes.saved, days: runDays + 1 },
  { prefix: filePrefixes.conversions, days: 1 },
  { prefix: filePrefixes.responses, days: responseDays + 1 },
];

/** Parts of an upload that was neither completed nor aborted cost as much as objects, so they expire too. */
export const abortUploadsAfterDays = 1;
