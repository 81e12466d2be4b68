/** Tests of what the stores keep, and of the runs, the money and the flows that stand on it. */
export const storeTests = [
  'packages/{accounts,admin,decisions,runs,uploads,values}/**/*.test.ts',
  'packages/platform/aws/{batch,read,retry-conflicts,write}.test.ts',
  'test/{billing,books,runs,skills,uploads}/**/*.test.ts',
  'test/flows/{budgets,credits,outages,rounds,tools,wire}.test.ts',
];

/** moto copies every table for each transaction, and these make hundreds in one table: requests run out of time. */
export const tooSlow = ['test/skills/read-skills.test.ts'];
