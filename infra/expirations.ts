/**
 * When uploads, large payloads of events, and files that runs saved go by themselves. Runs live for a day; what belongs
 * to one that started at a day's end goes with the next day.
 */
export const expirations = [
  { prefix: 'uploads/', days: 1 },
  { prefix: 'events/', days: 2 },
  { prefix: 'saved/', days: 2 },
];

/** Parts of uploads that were neither completed nor aborted cost as much as objects. */
export const abortUploadsAfterDays = 1;
