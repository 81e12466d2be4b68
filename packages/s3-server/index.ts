export { startFileStore } from './start-file-store.ts';
export type { BucketDefinition } from './store/bucket.ts';
export type { Credentials } from './wire/read-authorization.ts';
