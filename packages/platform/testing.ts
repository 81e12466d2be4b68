/** What tests of other rooms reach of this one. Nothing else imports it. */
export { internalError } from './http/errors.ts';
