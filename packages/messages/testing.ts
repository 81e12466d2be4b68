/** What tests of other rooms reach of this one. Nothing else imports it. */

export { messagesErrors } from './errors.ts';
