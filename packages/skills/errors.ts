import { commonErrors, type ErrorTable, errorCodes, unexpectedErrors } from '@errand/platform';
import { refusals } from '@errand/versions';
import { skillFieldErrors } from './field-errors.ts';

/** Statuses and bodies for the management routes. `heading` is the first line of a validation failure. */
const managementErrors = (heading: string): ErrorTable => ({
  ...unexpectedErrors(
    ...errorCodes.runs,
    ...errorCodes.agentField,
    ...errorCodes.agents,
    ...errorCodes.uploads,
    ...errorCodes.models,
  ),
  ...commonErrors,
  ...skillFieldErrors,
  not_found: () => ({ status: 404, body: 'Skill version not found' }),
  skill_not_found: () => ({ status: 404, body: 'Skill not found' }),
  skill_name_taken: ({ name }) => ({ status: 409, body: `You already have a skill named ${name}.` }),
  ...refusals(heading),
  instructions_too_long: ({ limit, actual }) => ({
    status: 400,
    body: {
      error: {
        message: `instructions may have ${limit} characters; these have ${actual}.`,
        code: 'instructions_too_long',
        limit,
        actual,
      },
    },
  }),
});

export const creationErrors = managementErrors('Invalid skill:');
export const patchErrors = managementErrors('Invalid skill patch:');
/** For requests without a body. */
export const queryErrors: ErrorTable = {
  ...managementErrors('Invalid query:'),
  ...unexpectedErrors('malformed_json', 'nested_too_deep'),
};
