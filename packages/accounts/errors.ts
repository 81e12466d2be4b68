import { commonErrors, type ErrorTable, errorCodes, plainIssues, unexpectedErrors } from '@errand/platform';

/** The answers of the account's own routes. */
export const accountErrors: ErrorTable = {
  ...unexpectedErrors(
    ...errorCodes.runs,
    ...errorCodes.uploads,
    ...errorCodes.skillField,
    ...errorCodes.skills,
    ...errorCodes.models,
  ),
  ...commonErrors,
  ...plainIssues,
};
