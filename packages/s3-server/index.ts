export { type BucketDefinition, ensureBucket } from './ensure-bucket.ts';
export { type FileStore, type FileStoreOptions, startFileStore } from './start-file-store.ts';
export type { Credentials } from './wire/read-authorization.ts';
