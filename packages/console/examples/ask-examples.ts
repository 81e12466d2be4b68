import { report } from './report.ts';

/** The first reads a file, the second searches the web, the third saves a file: also with the stand-ins. */
export const askExamples: readonly { question: string; file?: () => File }[] = [
  {
    question: 'What was the main cause of delays in this report, and what was done about it?',
    file: () => new File([report], 'harbour-report.md', { type: 'text/markdown' }),
  },
  { question: 'Search the web for Ada Lovelace, and explain why she is called the first programmer.' },
  { question: 'Compare trains and planes from Amsterdam to Berlin, and save the table as journey.csv.' },
];
