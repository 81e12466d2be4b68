import { describeIssue, type ErrorAnswer, type ErrorTable, type Issue } from '@errand/platform';

const refuse = (heading: string, issues: readonly Issue[]): ErrorAnswer => ({
  status: 400,
  body: [heading, ...issues.map(describeIssue)].join('\n'),
});

/** The answers to bodies and queries that are wrong. `heading` is the first line. */
export const refusals = (heading: string) =>
  ({
    invalid_request: ({ issues }) => refuse(heading, issues),
    malformed_json: () => refuse(heading, [{ field: 'body', problem: 'must be valid JSON' }]),
    nested_too_deep: ({ limitLevels }) =>
      refuse(heading, [
        { field: 'body', problem: `must not be nested more than ${limitLevels} levels deep` },
      ]),
  }) satisfies Partial<ErrorTable>;
