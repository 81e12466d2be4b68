/** What tests of other rooms reach of this one. Nothing else imports it. */
export { agentKind } from './agent-kind.ts';
export { creationErrors, patchErrors, queryErrors } from './errors.ts';
