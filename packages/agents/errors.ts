import { commonErrors, type ErrorTable, errorCodes, unexpectedErrors } from '@errand/platform';
import { refusals } from '@errand/versions';

/** Statuses and bodies for the management routes. `heading` is the first line of a validation failure. */
const managementErrors = (heading: string): ErrorTable => ({
  ...unexpectedErrors(
    ...errorCodes.runs,
    'agent_unresolved',
    'agent_changed',
    ...errorCodes.skillField,
    ...errorCodes.skills,
    ...errorCodes.uploads,
    ...errorCodes.models,
  ),
  ...commonErrors,
  ...refusals(heading),
  agent_forbidden: () => ({ status: 403, body: 'This key is bound to agents, and may not change any.' }),
  agents_disabled: () => ({ status: 503, body: 'Agent service is not enabled' }),
  not_found: () => ({ status: 404, body: 'Agent version not found' }),
  agent_not_found: () => ({ status: 404, body: 'Agent not found' }),
  agent_name_taken: ({ name }) => ({ status: 409, body: `You already have an agent named ${name}.` }),
});

export const creationErrors = managementErrors('Invalid agent:');
export const patchErrors = managementErrors('Invalid agent patch:');
/** For requests without a body. */
export const queryErrors: ErrorTable = {
  ...managementErrors('Invalid query:'),
  ...unexpectedErrors('malformed_json', 'nested_too_deep'),
};
