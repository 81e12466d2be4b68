export { type SchemaAndValue, schemaAndValue } from './test-support/schemas.ts';
