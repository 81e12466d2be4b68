import { commonErrors, type ErrorTable, errorCodes, plainIssues, unexpectedErrors } from '@errand/platform';

/** The answers of the routes of saved values. */
export const valueErrors: ErrorTable = {
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
