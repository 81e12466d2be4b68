/** Tests of what the stores keep, and of the flows, the money and the runs that stand on it. */
export const storeTests = [
  'packages/{accounts,admin,decisions,runs,uploads,values}/**/*.test.ts',
  'packages/platform/aws/{batch,read,retry-conflicts,write}.test.ts',
  'test/{billing,books,chat,flows,runs,skills,uploads}/**/*.test.ts',
];

/**
 * moto copies every table for each transaction. These make so many transactions in one table, or at once, that requests
 * run out of time.
 */
export const tooSlow = [
  'test/chat/money.test.ts',
  'test/flows/many-runs.test.ts',
  'test/skills/read-skills.test.ts',
];
