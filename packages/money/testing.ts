/** What tests of other rooms reach of this one. Nothing else imports it. */
export { attributes, type Hold, holdAttribute, writeHold } from './purse/purse.ts';
export { itemKeys } from './store.ts';
