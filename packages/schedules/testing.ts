/** What tests of other rooms reach of this one. Nothing else imports it. */
export { nextInstant } from './instants.ts';
