import { expect, test } from 'vitest';
import { type FirstTry, firstCommands } from './first-commands.ts';

const all: FirstTry = {
  baseUrl: 'http://127.0.0.1:8787',
  apiKey: 'errand_1',
  chatModel: 'writer',
  decisionModel: 'judge',
  takesRuns: true,
  takesFiles: true,
};

/** The lines that say what each command does. */
const offered = (first: Partial<FirstTry>): string[] =>
  firstCommands({ ...all, ...first }).filter((line) => /^\S/.test(line));

const ask = 'Ask something about the report that comes along:';
const watch = 'Watch the newest run to its answer:';

test.each<[string, Partial<FirstTry>, string[]]>([
  ['everything', {}, [ask, watch, 'Decide something:']],
  ['no model for decisions', { decisionModel: undefined }, [ask, watch, 'Chat:']],
  ['no files', { takesFiles: false }, ['Ask something:', watch, 'Decide something:']],
  ['no runs', { takesRuns: false }, ['Decide something:']],
  [
    'no runs and no models',
    { takesRuns: false, chatModel: undefined, decisionModel: undefined },
    ['See its models:'],
  ],
])('a service with %s offers only what works there', (_what, first, words) => {
  expect(offered(first)).toEqual(words);
});
