export interface Difference {
  file: string;
  /** The names of the tests that fail on moto. */
  tests: readonly string[];
  /** What moto 5.2.1 does. */
  reason: string;
}

/** Tests that fail on moto though the service is right. A test of this list that passes is told, too. */
export const differences: readonly Difference[] = [
  {
    file: 'packages/platform/aws/retry-conflicts.test.ts',
    tests: ['a plain UpdateItem that collides with a transaction is sent again after a wait'],
    reason: 'answers an UpdateItem that changes nothing with a page of HTML and a 500',
  },
  {
    file: 'test/uploads/upload-id.test.ts',
    tests: ['more bytes', 'fewer bytes', 'another type'].map(
      (what) => `the link takes nothing but the announced file > ${what}`,
    ),
    reason: 'checks no signature, so a presigned link takes any file',
  },
  {
    file: 'test/flows/tools.test.ts',
    tests: ['a saved file is downloaded by its link without a key, and by no altered one'],
    reason: 'does not give a file the name that the link asks for (response-content-disposition)',
  },
  {
    file: 'test/flows/credits.test.ts',
    tests: [
      'of 400 recordings at once that each need more than a quarter of the balance, four are transcribed at most',
    ],
    reason: 'copies every table for each transaction, so of 400 at once most run out of time',
  },
];
