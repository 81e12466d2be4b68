import { commonErrors, type ErrorTable, errorCodes, plainIssues, unexpectedErrors } from '@errand/platform';

/** Statuses and bodies for `/v1/credits`. */
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
