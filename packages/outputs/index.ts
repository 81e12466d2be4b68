export type { Problem } from './find-problems.ts';
export { type Leaf, type ToldValue, tellValue } from './leaves.ts';
export { type Checking, problemsOf, type SchemaText } from './problems.ts';
export { readSchema } from './read-schema.ts';
export type { SchemaIssue } from './refused.ts';
export { withoutUnsupported } from './without-unsupported.ts';
export { providerFormat, writtenForm } from './written-form.ts';
export { readWritten, type Written } from './written-value.ts';
