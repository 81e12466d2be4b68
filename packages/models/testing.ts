/** What tests of other rooms reach of this one. Nothing else imports it. */

export { defaultRules, toolTypes } from './field-rules.ts';
export { parseCatalogue } from './parse-catalogue.ts';
export { cleanWords } from './refusal/clean-words.ts';
export { findWords } from './refusal/find-words.ts';
export { readRetryAfter, refusalBytes } from './refusal/read-refusal.ts';
export { toTranscript } from './speech/transcript.ts';
export { countTokens } from './tokens.ts';
