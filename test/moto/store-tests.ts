/** Tests of what the stores keep, and of the runs, the money and the flows that stand on it. */
export const storeTests = [
  'packages/{accounts,admin,decisions,money,runs,uploads,values}/**/*.test.ts',
  'packages/platform/aws/{batch,read,retry-conflicts,write}.test.ts',
  'test/{billing,books,runs,skills,uploads,versions}/**/*.test.ts',
  'test/flows/{budgets,credits,rounds,tools,wire}.test.ts',
];

/** Tests that moto's slowness makes fail at random: it copies every table for each transaction. */
export const tooSlow = [
  // 600 skills in one table.
  'test/versions/read.test.ts',
  // How many requests a second, and how soon an event is told.
  'test/runs/readers.test.ts',
];
