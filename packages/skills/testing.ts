/** What tests of other rooms reach of this one. Nothing else imports it. */
export { wrapInstructions } from './block.ts';
export { creationErrors, patchErrors, queryErrors } from './errors.ts';
export { newSkillSchema } from './schema.ts';
export { parseSkillMarkdown } from './skill-markdown.ts';
