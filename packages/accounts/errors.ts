import { commonErrors, describeIssue, type ErrorTable, errorCodes, unexpectedErrors } from '@errand/platform';

/** The answers of the account's own routes. */
export const accountErrors: ErrorTable = {
  ...unexpectedErrors(
    ...errorCodes.runs,
    ...errorCodes.skillField,
    ...errorCodes.skills,
    ...errorCodes.models,
  ),
  ...commonErrors,
  invalid_request: ({ issues }) => ({ status: 400, body: issues.map(describeIssue).join('\n') }),
};
